import type { RequestIdentity } from '#http';
import type { Position } from '#log';

/** Result of appending one command, for logs and metrics. Contains nothing from the payload. */
export interface CommandRecord {
  readonly identity: RequestIdentity | undefined;
  readonly uuid: string;
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** Size of the payload as it was received, in bytes. */
  readonly bytes: number;
  /** Milliseconds until the log stored or refused the command. */
  readonly ms: number;
  /** Position in the log. Absent if the log refused the command. */
  readonly position?: Position;
  /** Code of the fault. Absent if the log stored the command. */
  readonly failure?: string;
}

/** Is notified when the append of a command begins and when it ends. */
export abstract class CommandObserver {
  abstract started(command: string, version: number): void;
  abstract ended(record: CommandRecord): void;
}
