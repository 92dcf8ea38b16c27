import type { LogContent } from './log-content';
import type { LogIdentity, LogRecord, NewRecord, Position } from './record';
import type { RecordLookUp } from './record-look-up';

export interface ReadLimits {
  readonly maxRecords: number;
  /** A larger record is returned alone. */
  readonly maxBytes: number;
}

/**
 * Reads the records of each partition in order, without header records. Never skips an append that is not committed
 * yet.
 */
export interface LogReader {
  /** Waits for at least one record. Returns no records if `signal` aborts or the reader is closed. */
  next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /**
   * The reader may return the records of these commands in stored parts. For such a record, `maxBytes` does not count
   * the sections.
   */
  readonly inParts?: readonly string[];
}

/** All offsets were read together, so no tail begins after the end of its partition. */
export interface LogExtent {
  /** For each partition, the offset of the first record of the base, or the start of the tail if the base has no record. */
  readonly starts: ReadonlyMap<number, number>;
  /** For each partition, the offset at which the tail begins. It is 1 if the log has no base. */
  readonly tails: ReadonlyMap<number, number>;
  readonly ends: ReadonlyMap<number, number>;
}

/** A base that is written, but that readers of the log do not read before `commit`. */
export interface PreparedBase {
  /** Returns what `LogExtent.starts` will be when this base is current. */
  starts(): Promise<ReadonlyMap<number, number>>;
  /** Returns a reader of this base and of the tail that follows it. */
  reader(start: ReadonlyMap<number, number>, options?: ReaderOptions): LogReader;
  /** Does not delete the records that this base replaces. */
  commit(): Promise<void>;
  discard(): Promise<void>;
}

/**
 * A durable log of commands, ordered within each partition. In each partition, the *tail* contains every record from a
 * certain offset to the end. The *base* contains the earlier records that a snapshot has kept, at their original
 * offsets. A reader that starts before the tail returns the records of the base, then the records of the tail.
 */
export abstract class CommandLog {
  /**
   * Creates the log, or checks an existing log. Must be called before all other methods except `restore`. Throws
   * `log.foreign` or `log.unreachable`.
   */
  abstract open(): Promise<LogIdentity>;

  /**
   * Writes a whole log, with its id and offsets, into an empty store. Callers must call `open` afterwards. Throws
   * `log.not-empty`.
   */
  abstract restore(content: LogContent): Promise<void>;

  /**
   * Resolves when the record is durable. Records with the same certname keep their order. Throws `log.unavailable` if
   * the record is not durable in time.
   */
  abstract append(record: NewRecord): Promise<Position>;

  abstract reader(start: ReadonlyMap<number, number>, options?: ReaderOptions): LogReader;

  /** For each partition, the offset of the next append. All earlier records can be read. */
  abstract ends(): Promise<ReadonlyMap<number, number>>;

  abstract extent(): Promise<LogExtent>;

  /**
   * Returns, for each partition, the offset of the first record in the tail that was appended at or after `time`
   * (milliseconds since 1970). If no record was, returns the end of the partition.
   */
  abstract offsetsSince(time: number): Promise<ReadonlyMap<number, number>>;

  /** Undefined if the log can only read records in order. */
  abstract readonly lookUp: RecordLookUp | undefined;

  /**
   * Writes a base that ends at `tails`. `tails` must have every partition, with an offset between the current tail and
   * the end. In each partition, the offsets of `records` must ascend and be less than the tail.
   */
  abstract prepareBase(tails: ReadonlyMap<number, number>, records: AsyncIterable<LogRecord>): Promise<PreparedBase>;

  /**
   * Deletes superseded records and bases, and bases that were not committed. If a call fails, the next call finishes
   * the work. Must be called only when no reader needs these records any more.
   */
  abstract truncate(): Promise<void>;

  abstract close(): Promise<void>;
}
