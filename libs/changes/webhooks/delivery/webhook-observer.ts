/** Outcomes of an attempt: an answer 2xx, another answer, or no answer. */
export const attemptOutcomes = ['delivered', 'refused', 'unanswered'] as const;
export type AttemptOutcome = (typeof attemptOutcomes)[number];

/** Observes the attempts of this process. */
export interface WebhookObserver {
  attempted(outcome: AttemptOutcome, ms: number): void;
}
