import type { Generation } from '#database';

export interface ReplayHandling {
  /** An abort ends the work after the current batch. The work then throws `maintenance.stopped`. */
  readonly signal: AbortSignal;
  readonly onRecords?: (records: number) => void;
  readonly onNotice?: (text: string) => void;
}

export interface ReplayShare {
  readonly generation: Generation;
  readonly until: ReadonlyMap<number, number>;
  readonly keepDeadLetters?: boolean;
  readonly removeLater?: boolean;
}

export interface ReplayThreads {
  readonly count: number;
  /** Resolves early without an error if the signal aborts. */
  replay(share: ReplayShare, handling: ReplayHandling): Promise<void>;
}
