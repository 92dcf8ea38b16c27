import type { RequestIdentity } from '#http';
import type { Position } from '#log';

export interface CommandRecord {
  readonly identity: RequestIdentity | undefined;
  readonly uuid: string;
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** Size of the payload in bytes, before it is decompressed. */
  readonly bytes: number;
  /** Milliseconds from the receipt of the command until the log stored or refused it. */
  readonly ms: number;
  readonly position?: Position;
  /** Code of the fault. Absent if the log stored the command. */
  readonly failure?: string;
}

export abstract class CommandObserver {
  abstract started(command: string, version: number): void;
  abstract ended(record: CommandRecord): void;
}
