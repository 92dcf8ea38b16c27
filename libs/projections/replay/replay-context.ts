import type { Database } from '#database';
import type { Limits } from '#limits';
import type { CommandLog } from '#log';
import type { ReplayHandling, ReplayThreads } from './replay-threads';

/** How far a step of maintenance has come. */
export interface ReplayProgress {
  /** For people: `replay`, `compare`, `write the base`. */
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly unit: 'records' | 'tables' | 'files' | 'nodes' | 'documents';
}

/** What rebuild, verification, snapshot, copy and export work with. */
export interface ReplayContext extends ReplayHandling {
  /** For writing; at least 6 connections. */
  readonly db: Database;
  /** Opened. */
  readonly log: CommandLog;
  readonly logId: string;
  /** As of ProjectorOptions. */
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
  /** For long replays. Default: all is replayed in the caller's thread. */
  readonly threads?: ReplayThreads | undefined;
  /** Called often. */
  readonly onProgress?: (progress: ReplayProgress) => void;
}
