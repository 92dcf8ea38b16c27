import type { LogContent } from './log-content';
import type { LogIdentity, LogRecord, NewRecord, Position } from './record';
import type { RecordLookUp } from './record-look-up';

export interface ReadLimits {
  readonly maxRecords: number;
  /** Limit on the payload bytes of one batch. A larger record is returned alone. */
  readonly maxBytes: number;
}

/**
 * Reads the records of each partition in order, without header records. Waits at the offset of an append that is not
 * committed yet, and never skips it.
 */
export interface LogReader {
  /** Waits for at least one record. Returns no records if `signal` aborts or the reader is closed. */
  next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /**
   * Commands for whose records the reader can return stored parts instead of the whole payload. `maxBytes` then does
   * not count the sections.
   */
  readonly inParts?: readonly string[];
}

/** All offsets were read together, so no tail begins after the end of its partition. */
export interface LogExtent {
  /** By partition: offset of the first record of the base, or the begin of the tail if the base has no record. */
  readonly starts: ReadonlyMap<number, number>;
  /** By partition: offset at which the tail begins. It is 1 if the log has no base. */
  readonly tails: ReadonlyMap<number, number>;
  readonly ends: ReadonlyMap<number, number>;
}

/** A base that is not current yet. Until `commit`, readers of the log do not read it. */
export interface PreparedBase {
  /** Returns the value that `LogExtent.starts` would have if this base were current. */
  starts(): Promise<ReadonlyMap<number, number>>;
  /** Returns a reader of this base and of the tail after it. */
  reader(start: ReadonlyMap<number, number>, options?: ReaderOptions): LogReader;
  /** Makes this base the current base durably. Does not delete the records that it replaces. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * A durable log of commands, ordered within each partition. A log has a *tail*: all records from some offset on. A log
 * can also have a *base*: the records before the tail that a snapshot has kept, at their original offsets. A reader
 * that starts before the tail returns the records of the base, then the records of the tail.
 */
export abstract class CommandLog {
  /**
   * Creates the log, or checks an existing log. Must be called before all other methods except `restore`. Throws
   * `log.foreign` or `log.unreachable`.
   */
  abstract open(): Promise<LogIdentity>;

  /**
   * Writes a whole log into an empty store. The log keeps its id, and each record keeps its offset. Callers must call
   * `open` afterwards. Throws `log.not-empty` if the store has a log already.
   */
  abstract restore(content: LogContent): Promise<void>;

  /**
   * Resolves when the record is durable. Records with the same certname keep their order. Throws `log.unavailable` if
   * the record is not durable in time.
   */
  abstract append(record: NewRecord): Promise<Position>;

  /** `start`: the first offset to read, by partition. */
  abstract reader(start: ReadonlyMap<number, number>, options?: ReaderOptions): LogReader;

  /** Returns for each partition the offset of the next append. All earlier records can be read. */
  abstract ends(): Promise<ReadonlyMap<number, number>>;

  /** Needs more requests than `ends`. */
  abstract extent(): Promise<LogExtent>;

  /**
   * Returns for each partition the offset of the first record in the tail that was appended at or after `time`
   * (milliseconds since 1970), or else the end of the partition.
   */
  abstract offsetsSince(time: number): Promise<ReadonlyMap<number, number>>;

  /** Undefined if the log can only read records in order. */
  abstract readonly lookUp: RecordLookUp | undefined;

  /**
   * Writes a base that ends at the offsets in `tails`. `tails` has an offset for every partition, between the current
   * tail and the end. Within each partition, the offsets of `records` must ascend, and must be less than the
   * partition's offset in `tails`.
   */
  abstract prepareBase(tails: ReadonlyMap<number, number>, records: AsyncIterable<LogRecord>): Promise<PreparedBase>;

  /**
   * Deletes the records that the current base replaces, earlier bases, and bases that were not committed. If a call
   * fails, the next call finishes the work. No reader may still need the deleted records.
   */
  abstract truncate(): Promise<void>;

  abstract close(): Promise<void>;
}
