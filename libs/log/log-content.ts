import type { LogIdentity, LogRecord } from './record';

export interface LogContent {
  readonly identity: LogIdentity;
  readonly tails: ReadonlyMap<number, number>;
  readonly ends: ReadonlyMap<number, number>;
  /**
   * Returns the records of the base. In each partition, their offsets ascend and are less than the first offset of the
   * tail.
   */
  base(): AsyncIterable<LogRecord>;
  /** Returns the records of the tail. In each partition, their offsets have no gap. */
  tail(): AsyncIterable<LogRecord>;
}
