import type { LogIdentity, LogRecord } from './record';

export interface LogContent {
  readonly identity: LogIdentity;
  readonly tails: ReadonlyMap<number, number>;
  readonly ends: ReadonlyMap<number, number>;
  /** Returns the records of the base. Their offsets ascend in each partition and are less than the partition's tail. */
  base(): AsyncIterable<LogRecord>;
  /** Returns the records of the tail. Their offsets have no gap in a partition. */
  tail(): AsyncIterable<LogRecord>;
}
