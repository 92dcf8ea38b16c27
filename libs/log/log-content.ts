import type { LogIdentity, LogRecord } from './record';

export interface LogContent {
  readonly identity: LogIdentity;
  readonly tails: ReadonlyMap<number, number>;
  readonly ends: ReadonlyMap<number, number>;
  /** In each partition, the offsets ascend and are less than the first offset of the tail. */
  base(): AsyncIterable<LogRecord>;
  /** In each partition, the offsets have no gap. */
  tail(): AsyncIterable<LogRecord>;
}
