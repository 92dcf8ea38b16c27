import type { LogContent } from './log-content';
import type { LogIdentity, LogRecord, NewRecord, Position } from './record';
import type { RecordLookUp } from './record-look-up';

export interface ReadLimits {
  readonly maxRecords: number;
  /** Upper bound of the payload bytes of one batch. A larger record is returned alone. */
  readonly maxBytes: number;
}

/**
 * Reads records in order per partition, from positions that the caller owns. Never returns a header record, never
 * passes an append that is still open, and never returns a record twice.
 */
export interface LogReader {
  /**
   * Waits for at least one record, then returns records up to `limits`. Returns no records if `signal` aborts or the reader is
   * closed.
   */
  next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /**
   * Commands for which the reader may return the stored parts of a record instead of its whole payload. For these
   * records, the read limits count only the bytes in the row, without the sections. Default: none.
   */
  readonly inParts?: readonly string[];
}

/** Offsets of each partition, read so that no tail begins past its end. */
export interface LogExtent {
  /** Where a replay of the whole log begins: at the first record of the base, or at the tail if the base has none. */
  readonly starts: ReadonlyMap<number, number>;
  /** Where the tail begins; 1 without a base. */
  readonly tails: ReadonlyMap<number, number>;
  /** As `CommandLog.ends`. */
  readonly ends: ReadonlyMap<number, number>;
}

/** A base that is written but not current: only this object reads it. */
export interface PreparedBase {
  /** As `LogExtent.starts`, if this base were current. */
  starts(): Promise<ReadonlyMap<number, number>>;
  /** Reads this base, then the tail. */
  reader(start: ReadonlyMap<number, number>, options?: ReaderOptions): LogReader;
  /** Makes this base the current one, durably. Does not change the tail. */
  commit(): Promise<void>;
  /** Removes this base. */
  discard(): Promise<void>;
}

/**
 * A durable, ordered log of commands in partitions. A certname always falls into the same partition (`partitionOf`). There are
 * three implementations: embedded (a table of PostgreSQL), Kafka, and in memory for tests. All pass the contract suite.
 *
 * A log has a *tail*, which is every record since some offset, and before it a *base*: the earlier records that still counted
 * when the base was made, at their original offsets. A reader that starts before the tail gets the records of the base, then
 * those of the tail. A log without a base has only a tail, from offset 1.
 */
export abstract class CommandLog {
  /** Creates or checks the log. Call this first. Faults: `log.foreign`, `log.unreachable`. */
  abstract open(): Promise<LogIdentity>;

  /**
   * Writes a whole log where there is none yet. The log keeps its id, and each record its offset. Call `open` afterwards. Fault:
   * `log.not-empty` (conflict) if there is a log already. The implementations say what a failure leaves.
   */
  abstract restore(content: LogContent): Promise<void>;

  /** Resolves when the record is durable. Keeps the order of the records of a certname. Fault: `log.unavailable` (busy). */
  abstract append(record: NewRecord): Promise<Position>;

  /** Reads the partitions of `start`, each from its offset. */
  abstract reader(start: ReadonlyMap<number, number>, options?: ReaderOptions): LogReader;

  /** Returns for each partition the offset of the next append. All records before it can be read. */
  abstract ends(): Promise<ReadonlyMap<number, number>>;

  /** Returns where the log begins and ends. Takes more requests than `ends`. */
  abstract extent(): Promise<LogExtent>;

  /** Returns for each partition the first offset of the tail that was appended at `time` (epoch ms) or later, or the end. */
  abstract offsetsSince(time: number): Promise<ReadonlyMap<number, number>>;

  /** Reads single records by position; undefined if the log can only be read in order. */
  abstract readonly lookUp: RecordLookUp | undefined;

  /**
   * Writes a base that ends where the new tail begins. `tails` names every partition, with an offset from the current tail to the
   * end. The offsets of `records` ascend within each partition, and are before its new tail. They may be in parts.
   */
  abstract prepareBase(tails: ReadonlyMap<number, number>, records: AsyncIterable<LogRecord>): Promise<PreparedBase>;

  /**
   * Removes the records that the current base replaces, earlier bases, and bases that were never committed. May be repeated at
   * any time; after a crash the next call finishes the work. There must be no reader of the removed records.
   */
  abstract truncate(): Promise<void>;

  abstract close(): Promise<void>;
}
