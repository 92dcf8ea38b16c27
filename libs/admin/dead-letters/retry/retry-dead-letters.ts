import { Command } from '@nestjs/cqrs';
import type { Position } from '#log';
import type { LetterFilter } from '#projections';

/** One letter, or all waiting letters that match. */
export type LetterSelection = { readonly letter: Position } | { readonly matching: LetterFilter };

/** The outcome of the letters that were retried. */
export interface Retried {
  readonly retried: number;
  readonly applied: number;
  /** Rejected again: still listed, with one more attempt. */
  readonly rejected: number;
  /**
   * Number of letters that were appended, but had no outcome when the wait ended. The projector stores the outcome
   * later.
   */
  readonly pending: number;
}

/** Appends rejected commands to the log again. */
export class RetryDeadLetters extends Command<Retried> {
  constructor(
    readonly wanted: LetterSelection,
    /** Longest wait for the outcomes, milliseconds. */
    readonly waitMs: number,
    /** Aborting ends the wait and starts no further retries. */
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}
