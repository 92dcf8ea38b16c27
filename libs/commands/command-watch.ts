import type { RequestIdentity } from '#http';
import type { Position } from '#log';

/** What became of one command at its append, for a log. Holds nothing of its payload. */
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

/** Told of each command once. */
export abstract class CommandWatch {
  abstract tell(record: CommandRecord): void;
}
