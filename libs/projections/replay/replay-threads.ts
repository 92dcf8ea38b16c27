import type { Generation } from '#database';

export interface ReplayHandling {
  /** An abort ends the work after the current batch. The work then throws `maintenance.stopped`. */
  readonly signal: AbortSignal;
  readonly onRecords?: (records: number) => void;
  readonly onNotice?: (text: string) => void;
}

/** A part of a long replay: all records of some partitions, each up to an offset. */
export interface ReplayShare {
  readonly generation: Generation;
  readonly until: ReadonlyMap<number, number>;
  readonly keepDeadLetters?: boolean;
  readonly removeLater?: boolean;
}

/** Threads that replay concurrently, each with some of the partitions. */
export interface ReplayThreads {
  readonly count: number;
  /** Replays the share in a thread. Resolves early without an error if the signal aborts. */
  replay(share: ReplayShare, handling: ReplayHandling): Promise<void>;
}
