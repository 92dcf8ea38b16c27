/** Outcomes of an attempt. `refused` means that the receiver answered, but not with 2xx. */
export const attemptOutcomes = ['delivered', 'refused', 'unanswered'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export interface WebhookObserver {
  attempted(outcome: AttemptOutcome, ms: number): void;
}
