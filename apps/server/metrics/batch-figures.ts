import type { BatchStep } from '#projections';

/** The figures of one batch of the projector for one command and version. They are sent between threads. */
export interface CommandFigures {
  readonly command: string;
  readonly version: number;
  readonly processed: number;
  readonly rejected: number;
  readonly ignored: number;
  readonly superseded: number;
  /** Factsets and catalogs of nodes that had none before. */
  readonly added: number;
  /** Catalogs whose content was stored already. */
  readonly unchanged: number;
  /** Milliseconds that each of them waited in the log. */
  readonly queueMs: readonly number[];
}

export interface BatchFigures {
  /** From the begin to the commit, with all attempts. */
  readonly ms: number;
  /** How often it had to be tried again. */
  readonly retries: number;
  readonly commands: readonly CommandFigures[];
  /** Milliseconds of each step, in the attempt that was committed. */
  readonly steps: ReadonlyMap<BatchStep, number>;
}
