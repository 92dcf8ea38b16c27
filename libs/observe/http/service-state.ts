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
}
