import { Command } from '@nestjs/cqrs';
import type { Position } from '#log';
import type { LetterFilter } from '#projections';

/** One letter, or all waiting ones that match. */
export type LetterSelection = { readonly letter: Position } | { readonly matching: LetterFilter };

/** The outcome of the letters that were retried. */
export interface Retried {
  readonly retried: number;
  readonly applied: number;
  /** Rejected again: still listed, with one attempt more. */
  readonly rejected: number;
  /** In the log, their outcome not known when the wait was over; the projector will write it. */
  readonly pending: number;
}

/** Appends rejected commands to the log again. */
export class RetryDeadLetters extends Command<Retried> {
  constructor(
    readonly wanted: LetterSelection,
    /** Longest wait for the outcomes, milliseconds. */
    readonly waitMs: number,
    /** Ends the wait, and begins no further retries. */
    readonly signal?: AbortSignal,
  ) {
    super();
  }
}
