import type { Generation } from '#database';

/** Callbacks and the signal of a replay. */
export interface ReplayHandling {
  /** Aborting ends the work after the current batch with the fault `maintenance.stopped` (busy). */
  readonly signal: AbortSignal;
  /** Called after each batch with the number of applied records. */
  readonly onRecords?: (records: number) => void;
  /** Called with a sentence for the operator. */
  readonly onNotice?: (text: string) => void;
}

/** A part of a long replay: all records of some partitions, each up to an offset. */
export interface ReplayShare {
  readonly generation: Generation;
  readonly until: ReadonlyMap<number, number>;
  /** See ReplayOptions. */
  readonly keepDeadLetters?: boolean;
  readonly removeLater?: boolean;
}

/** Threads that replay at the same time, each with some of the partitions. */
export interface ReplayThreads {
  /** Largest number of threads. */
  readonly count: number;
  /** Replays the share in a thread. If the signal aborts, resolves early without an error. */
  replay(share: ReplayShare, handling: ReplayHandling): Promise<void>;
}
