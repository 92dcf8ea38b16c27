import type { LogIdentity, LogRecord } from './record';

/** The content of a whole log, as a backup has it. */
export interface LogContent {
  readonly identity: LogIdentity;
  /** By partition: where the tail begins. The base has the records before. */
  readonly tails: ReadonlyMap<number, number>;
  /** By partition: the offset after the last record. */
  readonly ends: ReadonlyMap<number, number>;
  /** Records of the base, all below the tails, with ascending offsets in each partition. */
  base(): AsyncIterable<LogRecord>;
  /** Records of the tail, without a gap in any partition. */
  tail(): AsyncIterable<LogRecord>;
}
