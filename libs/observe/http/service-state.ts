import type { Alert } from '../alerts';

/** State of the service for the status routes. The app implements it. */
export abstract class ServiceState {
  /** The version of the program. */
  abstract readonly version: string;
  /** The version that the service reports to clients, as in `GET /pdb/meta/v1/version`. */
  abstract readonly reportedVersion: string;
  /** Name of the product in `version/latest`. */
  abstract readonly product: string;
  /** The id of the log that this process reads or writes; null if it has only the component `read`. */
  abstract readonly logId: string | null;
  /** True from the signal to stop: the service still answers, but wants no new clients. */
  abstract readonly draining: boolean;
  /** True when the service ends connections after their next answer. */
  abstract readonly stopping: boolean;
  /** Returns the current alerts, oldest first. */
  abstract alerts(): readonly Alert[];
  /** Checks the databases, and the number of commands that wait in the log. Never throws. */
  abstract look(): Promise<ServiceHealth>;
}

export interface ServiceHealth {
  readonly state: 'starting' | 'running' | 'error' | 'stopping';
  readonly readDatabaseUp: boolean;
  readonly writeDatabaseUp: boolean;
  /** Commands in the log that the live read tables do not contain yet. */
  readonly queueDepth: number;
  /** Whether each component of this process works: commands are accepted, records projected, queries answered. */
  readonly components: Readonly<Record<string, boolean>>;
  /** Whether the service refuses all commands because its disk is almost full. */
  readonly refusesCommands?: boolean;
  /** Undefined if this process cannot determine it. */
  readonly storage?: Storage | undefined;
}

/** Bytes on disk. The parts do not overlap. Undefined: unknown. */
export interface Storage {
  /** The embedded log. */
  readonly logBytes: number | undefined;
  /** Of these, sections of documents that are stored once. */
  readonly sectionBytes: number | undefined;
  /** When the oldest record of its history was received, in epoch milliseconds. */
  readonly logSince: number | undefined;
  /** Growth of the embedded log in a day. */
  readonly logBytesPerDay: number | undefined;
  /** All generations of read tables, without their past. */
  readonly tableBytes: number;
  /** Earlier versions of rows of the read tables (NODELEDGER_HISTORY). */
  readonly pastBytes: number;
  /** All other tables of the database, such as rejected commands. */
  readonly otherBytes: number;
  /** PostgreSQL's write-ahead log. */
  readonly walBytes: number | undefined;
  /** The file system of the embedded PostgreSQL; unknown for another PostgreSQL. */
  readonly disk?: DiskFigures;
}

export interface DiskFigures {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** With fewer free bytes, commands are refused. */
  readonly reserveBytes: number;
  /** Seconds until the log has filled the disk except for the reserve. Undefined: never, or unknown. */
  readonly secondsUntilFull: number | undefined;
}
