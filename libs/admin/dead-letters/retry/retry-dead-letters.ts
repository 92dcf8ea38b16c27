import { Command } from '@nestjs/cqrs';
import type { Position } from '#log';
import type { LetterFilter } from '#projections';

export type LetterSelection = { readonly letter: Position } | { readonly matching: LetterFilter };

export interface Retried {
  readonly retried: number;
  readonly applied: number;
  /** Number of commands that were rejected again. Their dead letters stay in the list, with one more attempt. */
  readonly rejected: number;
  /**
   * Number of commands that were appended, but not yet applied or rejected when the wait ended. The projector stores
   * their outcome later.
   */
  readonly pending: number;
}

export class RetryDeadLetters extends Command<Retried> {
  constructor(
    readonly wanted: LetterSelection,
    readonly waitMs: number,
    /** Ends the wait, and prevents the retries that have not started yet. */
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}
