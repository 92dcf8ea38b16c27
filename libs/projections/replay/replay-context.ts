import type { Database } from '#database';
import type { Limits } from '#limits';
import type { CommandLog } from '#log';
import type { ReplayHandling, ReplayThreads } from './replay-threads';

export interface ReplayProgress {
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly unit: 'records' | 'tables' | 'files' | 'nodes' | 'documents' | 'bytes';
}

export interface ReplayContext extends ReplayHandling {
  /** Must allow writes, and at least 6 connections. */
  readonly db: Database;
  readonly log: CommandLog;
  readonly logId: string;
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
  /** Whether new tables keep their past if there are no live tables. Default: true. */
  readonly keepsPast?: boolean | undefined;
  /** Volatile facts of new tables. Tables for a comparison have the volatile facts of the live tables. */
  readonly volatileFacts?: readonly string[] | undefined;
  readonly threads?: ReplayThreads | undefined;
  readonly onProgress?: (progress: ReplayProgress) => void;
}
