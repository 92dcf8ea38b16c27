import type { Database } from '#database';
import type { Limits } from '#limits';
import type { CommandLog } from '#log';
import type { ReplayHandling, ReplayThreads } from './replay-threads';

/** Progress of a step of maintenance. */
export interface ReplayProgress {
  /** For people: `replay`, `compare`, `write the snapshot`. */
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly unit: 'records' | 'tables' | 'files' | 'nodes' | 'documents' | 'bytes';
}

/** Database, log and settings for rebuild, verification, snapshot, copy and export. */
export interface ReplayContext extends ReplayHandling {
  /** Can write; at least 6 connections. */
  readonly db: Database;
  /** Opened. */
  readonly log: CommandLog;
  readonly logId: string;
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
  /** Whether new tables keep their past if the live ones do not say it. Default true. */
  readonly keepsPast?: boolean | undefined;
  /** See `newTables`. Tables that are made for a comparison with the live ones take the names of these. */
  readonly volatileFacts?: readonly string[] | undefined;
  /** Threads for long replays. Default: replay in the caller's thread. */
  readonly threads?: ReplayThreads | undefined;
  /** Called often. */
  readonly onProgress?: (progress: ReplayProgress) => void;
}
