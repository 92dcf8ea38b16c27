import type { LogIdentity, LogRecord } from './record';

/** A whole log as a backup holds it, to be written into an empty place. */
export interface LogContent {
  readonly identity: LogIdentity;
  /** By partition: where the tail begins. Below it is the base. */
  readonly tails: ReadonlyMap<number, number>;
  /** By partition: the offset behind the last record. */
  readonly ends: ReadonlyMap<number, number>;
  /** Records of the base, all below the tails, with ascending offsets in each partition. */
  base(): AsyncIterable<LogRecord>;
  /** Records of the tail, without a hole in any partition. */
  tail(): AsyncIterable<LogRecord>;
}
