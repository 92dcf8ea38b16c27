import type { Alert } from '../alerts';

/** State of the service for the status routes. `apps/server` implements this class. */
export abstract class ServiceState {
  abstract readonly version: string;
  /** Version that the service reports to clients, as in `GET /pdb/meta/v1/version`. */
  abstract readonly reportedVersion: string;
  /** Name of the product in `version/latest`. */
  abstract readonly product: string;
  /** Id of the log that this process reads or writes, or null if the process has only the component `read`. */
  abstract readonly logId: string | null;
  /** True after the signal to stop. The service still answers, but load balancers should send no more clients. */
  abstract readonly draining: boolean;
  /** True when the service ends each connection after the next answer. */
  abstract readonly stopping: boolean;
  /** Returns the active alerts, oldest first. */
  abstract alerts(): readonly Alert[];
  /** Checks the databases, and counts the commands that wait in the log. Never throws. */
  abstract look(): Promise<ServiceHealth>;
}

export interface ServiceHealth {
  readonly state: 'starting' | 'running' | 'error' | 'stopping';
  readonly readDatabaseUp: boolean;
  readonly writeDatabaseUp: boolean;
  /** Number of commands in the log that the live read tables do not contain yet. */
  readonly queueDepth: number;
  /**
   * Whether each component of this process works: whether it accepts commands, projects records, or answers queries.
   */
  readonly components: Readonly<Record<string, boolean>>;
  readonly refusesCommands?: boolean;
  /** Disk space. Undefined if this process cannot measure it. */
  readonly storage?: Storage | undefined;
}

/**
 * Bytes on disk. A value is undefined if it is unknown. `sectionBytes` is a part of `logBytes`; other values do not
 * overlap.
 */
export interface Storage {
  /** Size of the embedded log. */
  readonly logBytes: number | undefined;
  /** Size of the document sections in the embedded log, each of which is stored once. */
  readonly sectionBytes: number | undefined;
  /** Time when the oldest record of the log's history was received, in milliseconds since 1970. */
  readonly logSince: number | undefined;
  /** Bytes by which the embedded log grows in a day. */
  readonly logBytesPerDay: number | undefined;
  /** Size of all generations of read tables, without past rows. */
  readonly tableBytes: number;
  /** Size of the past versions of rows (NODELEDGER_HISTORY). */
  readonly pastBytes: number;
  /** Size of all other tables in the database, such as dead letters. */
  readonly otherBytes: number;
  readonly walBytes: number | undefined;
  /** File system of the embedded PostgreSQL. Undefined for an external PostgreSQL. */
  readonly disk?: DiskFigures;
}

export interface DiskFigures {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Number of free bytes below which the service refuses commands. */
  readonly reserveBytes: number;
  /**
   * Seconds until the log has filled the disk up to the reserve. Undefined if that never happens, or if it is unknown.
   */
  readonly secondsUntilFull: number | undefined;
}
