/** What became of an attempt: 2xx, another answer, or none. */
export const attemptOutcomes = ['delivered', 'refused', 'unanswered'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Gets the attempts of this process. */
export interface WebhookObserver {
  attempted(outcome: AttemptOutcome, ms: number): void;
}
