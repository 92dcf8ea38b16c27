import type { BatchStep } from '#projections';

/** Figures about the commands in a batch that have the same name and version. */
export interface CommandFigures {
  readonly command: string;
  readonly version: number;
  readonly processed: number;
  readonly rejected: number;
  readonly ignored: number;
  readonly superseded: number;
  /** Number of nodes whose first factset or catalog was stored. */
  readonly added: number;
  /** Number of catalogs whose content was already stored. */
  readonly unchanged: number;
  /** Milliseconds that each command waited in the log. */
  readonly queueMs: readonly number[];
}

export interface BatchFigures {
  /** Milliseconds from the start of the batch to its commit, including failed attempts. */
  readonly ms: number;
  readonly retries: number;
  readonly commands: readonly CommandFigures[];
  /** Milliseconds that each step took in the attempt that was committed. */
  readonly steps: ReadonlyMap<BatchStep, number>;
}
