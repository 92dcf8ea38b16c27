import type { Alert } from '../alerts';

export abstract class ServiceState {
  abstract readonly version: string;
  /** Version that the service reports to clients, for example in answers from `/pdb/meta/v1/version`. */
  abstract readonly reportedVersion: string;
  abstract readonly product: string;
  /** Id of the log that this process reads or writes. Null if the process runs only the component `read`. */
  abstract readonly logId: string | null;
  /** True after the signal to stop. The service still answers, but load balancers should send it no further clients. */
  abstract readonly draining: boolean;
  /** True when the service closes each connection after the next answer. */
  abstract readonly stopping: boolean;
  abstract alerts(): readonly Alert[];
  /** Never rejects. */
  abstract look(): Promise<ServiceHealth>;
}

export interface ServiceHealth {
  readonly state: 'starting' | 'running' | 'error' | 'stopping';
  readonly readDatabaseUp: boolean;
  readonly writeDatabaseUp: boolean;
  /** Number of commands in the log that are not yet in the live read tables. */
  readonly queueDepth: number;
  /**
   * For each component of this process: whether it works, that is, accepts commands, projects records, or answers
   * queries.
   */
  readonly components: Readonly<Record<string, boolean>>;
  readonly refusesCommands?: boolean;
  readonly storage?: Storage | undefined;
}

/**
 * A value is undefined if it is unknown. `sectionBytes` is a part of `logBytes`. The other numbers of bytes do not
 * overlap.
 */
export interface Storage {
  readonly logBytes: number | undefined;
  /** Size of the sections of documents in the embedded log, which stores each section once. */
  readonly sectionBytes: number | undefined;
  /** Time when the oldest record in the log's tail was received, in milliseconds since 1970. */
  readonly logSince: number | undefined;
  readonly logBytesPerDay: number | undefined;
  /** Size of all generations of read tables, without the past versions of rows. */
  readonly tableBytes: number;
  /** Size of the past versions of rows (NODELEDGER_HISTORY). */
  readonly pastBytes: number;
  /** Size of all other tables in the database, such as the table of dead letters. */
  readonly otherBytes: number;
  readonly walBytes: number | undefined;
  /** The file system on which the embedded PostgreSQL stores its files. Undefined for an external PostgreSQL. */
  readonly disk?: DiskFigures;
}

export interface DiskFigures {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** If fewer bytes than this are free, the service refuses commands. */
  readonly reserveBytes: number;
  /**
   * Seconds until the log has grown so much that only the reserve of the disk is free. Undefined if this never happens,
   * or if the time is unknown.
   */
  readonly secondsUntilFull: number | undefined;
}
