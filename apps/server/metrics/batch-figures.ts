import type { BatchStep } from '#projections';

/** What the projector thread reports about the commands of one name and version in a batch. */
export interface CommandFigures {
  readonly command: string;
  readonly version: number;
  readonly processed: number;
  readonly rejected: number;
  readonly ignored: number;
  readonly superseded: number;
  /** Factsets and catalogs of nodes that had none. */
  readonly added: number;
  /** Catalogs whose content was already stored. */
  readonly unchanged: number;
  /** How long each command waited in the log, in milliseconds. */
  readonly queueMs: readonly number[];
}

export interface BatchFigures {
  /** Milliseconds from the start of the batch to its commit, including failed attempts. */
  readonly ms: number;
  /** Number of failed attempts before the commit. */
  readonly retries: number;
  readonly commands: readonly CommandFigures[];
  /** Milliseconds of each step, in the attempt that was committed. */
  readonly steps: ReadonlyMap<BatchStep, number>;
}
