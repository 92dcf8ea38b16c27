/** `refused` means an answer other than 2xx. */
export const attemptOutcomes = ['delivered', 'refused', 'unanswered'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

export interface WebhookObserver {
  attempted(outcome: AttemptOutcome, ms: number): void;
}
