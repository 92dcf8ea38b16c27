import type { LogContent } from './log-content';
import type { LogIdentity, LogRecord, NewRecord, Position } from './record';
import type { RecordLookUp } from './record-look-up';

export interface ReadLimits {
  readonly maxRecords: number;
  /** Upper bound on the payload bytes of one batch; a single larger record still comes alone. */
  readonly maxBytes: number;
}

/**
 * Reads records in order per partition, from positions that the caller owns. Never returns a header record, never
 * passes an append that is still open, and never returns a record twice.
 */
export interface LogReader {
  /**
   * Waits until at least one record is there, then returns up to `limits`. Resolves to an empty array when `signal`
   * aborts or the reader is closed.
   */
  next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]>;
  close(): Promise<void>;
}

/** A reader that shares the partitions with the other followers of its group, in this process and elsewhere. */
export interface LogFollower extends LogReader {
  /** Asks once more where its partitions are to be read from, and forgets what it read ahead. Leaves no partition. */
  rewind(): Promise<void>;
}

/** Asked with the partitions that a follower gets; gives the offset of the first record wanted of each. */
export type StartOf = (partitions: readonly number[]) => Promise<ReadonlyMap<number, number>>;

/** For each partition, offsets of one moment: no tail begins past its end. */
export interface LogExtent {
  /** With which a replay of everything begins: of the base's first record, else the tail's begin. */
  readonly starts: ReadonlyMap<number, number>;
  /** Where the tail begins; 1 without a base. */
  readonly tails: ReadonlyMap<number, number>;
  /** As `CommandLog.ends`. */
  readonly ends: ReadonlyMap<number, number>;
}

/** A base that is written but not in force: nobody reads it but by this handle. */
export interface PreparedBase {
  /** As LogExtent.starts, with this base in force. */
  starts(): Promise<ReadonlyMap<number, number>>;
  /** Reads this base, then the tail behind it. */
  reader(start: ReadonlyMap<number, number>): LogReader;
  /** In force from here on, durably, also after a crash; the earlier base is superseded. The tail is not touched. */
  commit(): Promise<void>;
  /** Gives it up and removes it. */
  discard(): Promise<void>;
}

/**
 * The port: a durable, ordered log of commands in partitions. A certname always falls in one partition
 * (`partitionOf`). Bodies: embedded (a PostgreSQL table), Kafka, memory (tests); all pass the contract suite.
 *
 * A log is a *tail*, every record since some offset, and behind it a *base*: those of the earlier records that still
 * counted when it was made, at the offsets that they always had. Who reads from below the tail's begin gets the base's
 * records, then the tail's. A log that never had a base is all tail, from offset 1.
 */
export abstract class CommandLog {
  /** Creates or checks the log. Must be awaited before anything else. Faults: `log.foreign`, `log.unreachable`. */
  abstract open(): Promise<LogIdentity>;

  /**
   * Instead of `open`, where no log is yet: writes a whole log, which keeps its id and has each record where it was. The
   * log can be opened when this has ended. Faults: `log.not-empty` (conflict) where something of a log is here already;
   * what a failure leaves behind is said by the body.
   */
  abstract restore(content: LogContent): Promise<void>;

  /** Resolves once the record is durable. Faults: `log.unavailable` (busy). Records of one caller keep their order per certname. */
  abstract append(record: NewRecord): Promise<Position>;

  /** `start` maps each partition to be read to the offset of the first record wanted. */
  abstract reader(start: ReadonlyMap<number, number>): LogReader;

  /**
   * A reader of all partitions that no other follower of the same group has at the moment. A partition moves when a
   * follower joins, leaves or dies; for a moment two of them may be given its records, so that the caller's own
   * positions must decide. The log in memory gives every follower all partitions.
   */
  abstract follower(group: string, startOf: StartOf): LogFollower;

  /** For each partition the offset that the next append will get; everything below it can be read. */
  abstract ends(): Promise<ReadonlyMap<number, number>>;

  /** Where the log begins and ends. It takes more requests than `ends`. */
  abstract extent(): Promise<LogExtent>;

  /** For each partition the offset of the first record of the tail that was appended at `time` (epoch ms) or later; the end where none was. */
  abstract offsetsSince(time: number): Promise<ReadonlyMap<number, number>>;

  /** Reads single records by their places; undefined where the log can only be read in order. */
  abstract readonly lookUp: RecordLookUp | undefined;

  /**
   * Writes a base that will end where the new tail begins: `tails` names every partition, no offset below the tail of
   * today or past the end. `records` come with ascending offsets within each partition, all below its new tail.
   */
  abstract prepareBase(tails: ReadonlyMap<number, number>, records: AsyncIterable<LogRecord>): Promise<PreparedBase>;

  /**
   * Removes what the base in force makes superfluous: records below the tail, earlier bases, those never committed.
   * May be repeated at any time; after a crash the next call finishes it. Nobody must be reading what it removes.
   */
  abstract truncate(): Promise<void>;

  abstract close(): Promise<void>;
}
