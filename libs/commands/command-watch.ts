import type { RequestIdentity } from '#http';
import type { Position } from '#log';

/** What became of one command at its append, for logs and meters. Holds nothing of its payload. */
export interface CommandRecord {
  readonly identity: RequestIdentity | undefined;
  readonly uuid: string;
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** Of the payload as it came. */
  readonly bytes: number;
  /** Milliseconds until the log had it, or refused it. */
  readonly ms: number;
  /** Where it is. */
  readonly position?: Position;
  /** Why it is nowhere: a fault's code. */
  readonly failure?: string;
}

/** Told of each command when its append begins and when it ends. */
export abstract class CommandWatch {
  abstract started(command: string, version: number): void;
  abstract ended(record: CommandRecord): void;
}
