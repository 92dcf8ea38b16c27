import type { BatchStep } from '#projections';

/** Figures of all commands in a batch with the same name and version. The projector thread reports them. */
export interface CommandFigures {
  readonly command: string;
  readonly version: number;
  readonly processed: number;
  readonly rejected: number;
  readonly ignored: number;
  readonly superseded: number;
  /** Number of factsets or catalogs of nodes that had none before. */
  readonly added: number;
  /** Number of catalogs whose content was already stored. */
  readonly unchanged: number;
  /** Time that each command waited in the log, in milliseconds. */
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
