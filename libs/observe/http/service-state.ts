import type { Alert } from '../alerts';

/** What the status routes ask. A port: the app that composes the service answers. */
export abstract class ServiceState {
  /** The version of the program. */
  abstract readonly version: string;
  /** The version that clients are told, as in `GET /pdb/meta/v1/version`. */
  abstract readonly reportedVersion: string;
  /** As `version/latest` names it. */
  abstract readonly product: string;
  /** The id of the log that this process reads or writes; null if it has only the component `read`. */
  abstract readonly logId: string | null;
  /** From the moment on when the service was told to end: it still answers, but wants no new clients. */
  abstract readonly draining: boolean;
  /** From the moment on when connections are ended with their next answer. */
  abstract readonly stopping: boolean;
  /** The trouble that lasts, oldest first. */
  abstract alerts(): readonly Alert[];
  /** Whether the databases answer, and how many commands wait in the log. Never throws. */
  abstract look(): Promise<ServiceHealth>;
}

export interface ServiceHealth {
  readonly state: 'starting' | 'running' | 'error' | 'stopping';
  readonly readDatabaseUp: boolean;
  readonly writeDatabaseUp: boolean;
  /** Commands in the log that the live read tables do not hold yet. */
  readonly queueDepth: number;
  /** Each component of this process, and whether it does its work now: commands are accepted, records projected, queries answered. */
  readonly components: Readonly<Record<string, boolean>>;
  /** Whether the service refuses all commands because its disk is almost full. */
  readonly refusesCommands?: boolean;
  /** Undefined if this process does not know it. */
  readonly storage?: Storage | undefined;
}

/** Bytes on the disk. The parts do not overlap. Undefined: not known. */
export interface Storage {
  /** The embedded log. */
  readonly logBytes: number | undefined;
  /** How much the embedded log grows in a day. */
  readonly logBytesPerDay: number | undefined;
  /** All generations of read tables. */
  readonly tableBytes: number;
  /** All other tables of the database, such as rejected commands. */
  readonly otherBytes: number;
  /** PostgreSQL's write-ahead log. */
  readonly walBytes: number | undefined;
  /** The file system of the embedded PostgreSQL; not known of another PostgreSQL. */
  readonly disk?: DiskFigures;
}

export interface DiskFigures {
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Below this, commands are refused. */
  readonly reserveBytes: number;
  /** Until the log has filled the disk except for the reserve. Undefined: it will not, or this is not known. */
  readonly secondsUntilFull: number | undefined;
}
