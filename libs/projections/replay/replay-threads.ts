import type { Generation } from '#database';

/** How a replay is stopped and watched. */
export interface ReplayHandling {
  /** Ends the work after the current batch, with a Fault `maintenance.stopped` (busy). */
  readonly signal: AbortSignal;
  /** Called after each batch, with how many records of the log it has applied. */
  readonly onRecords?: (records: number) => void;
  /** What a person should know, as a sentence. */
  readonly onNotice?: (text: string) => void;
}

/** A part of a long replay: all records of some partitions, each up to an offset, of the log that the context has. */
export interface ReplayShare {
  readonly generation: Generation;
  readonly until: ReadonlyMap<number, number>;
  /** As of ReplayOptions. */
  readonly keepDeadLetters?: boolean;
  readonly removeLater?: boolean;
}

/** Threads that replay at the same time. They share the partitions, as projectors do. */
export interface ReplayThreads {
  /** How many there may be at once. */
  readonly count: number;
  /** Replays the share in a thread of its own. If the signal aborts, it ends early without an error. */
  replay(share: ReplayShare, handling: ReplayHandling): Promise<void>;
}
