import type { Database } from '#database';
import type { Limits } from '#limits';
import type { CommandLog } from '#log';

/** How far a step of maintenance has come. */
export interface ReplayProgress {
  /** For people: `replay`, `compare`, `write the base`. */
  readonly step: string;
  readonly done: number;
  readonly total: number;
  readonly unit: 'records' | 'tables' | 'files' | 'nodes' | 'documents';
}

/** What rebuild, verification, snapshot, copy and export work with. */
export interface ReplayContext {
  /** For writing; at least 6 connections. */
  readonly db: Database;
  /** Opened. */
  readonly log: CommandLog;
  readonly logId: string;
  /** As of ProjectorOptions. */
  readonly maxCommandBytes: number;
  readonly limits: Limits;
  readonly dropFact?: ((name: string) => boolean) | undefined;
  /** Ends the work after the current batch, with a Fault `maintenance.stopped` (busy). */
  readonly signal: AbortSignal;
  /** Called after each batch, with how many records of the log it has applied. */
  readonly onRecords?: (records: number) => void;
  /** Called often. */
  readonly onProgress?: (progress: ReplayProgress) => void;
  /** What a person should know, as a sentence. */
  readonly onNotice?: (text: string) => void;
}
