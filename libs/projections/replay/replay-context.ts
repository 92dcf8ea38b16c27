import type { Database } from '#database';
import type { Limits } from '#limits';
import type { CommandLog } from '#log';
import type { ReplayHandling, ReplayThreads } from './replay-threads';

/** Progress in one step of a maintenance task. */
export interface ReplayProgress {
  /** Name of the step for people: `replay`, `compare` or `write the snapshot`. */
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly unit: 'records' | 'tables' | 'files' | 'nodes' | 'documents' | 'bytes';
}

/** Database, log and settings for rebuild, verification, snapshot, copy and export. */
export interface ReplayContext extends ReplayHandling {
  /** Must allow writes, and at least 6 connections. */
  readonly db: Database;
  /** Opened. */
  readonly log: CommandLog;
  readonly logId: string;
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
  /** Whether new tables keep their past if no live tables decide this. Default: true. */
  readonly keepsPast?: boolean | undefined;
  /**
   * Names of volatile facts for new tables (see `newTables`). Tables for a comparison with the live tables take the
   * names from the live tables.
   */
  readonly volatileFacts?: readonly string[] | undefined;
  /** Threads for long replays. Default: the replay runs in the caller's thread. */
  readonly threads?: ReplayThreads | undefined;
  /** Called often. */
  readonly onProgress?: (progress: ReplayProgress) => void;
}
