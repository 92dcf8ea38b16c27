import type { LogIdentity, LogRecord, NewRecord, Position } from './record';

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

/**
 * The port: a durable, ordered log of commands in partitions. A certname always falls in one partition
 * (`partitionOf`). Bodies: embedded (a PostgreSQL table), Kafka, memory (tests); all pass the contract suite.
 */
export abstract class CommandLog {
  /** Creates or checks the log. Must be awaited before anything else. Faults: `log.foreign`, `log.unreachable`. */
  abstract open(): Promise<LogIdentity>;

  /** Resolves once the record is durable. Faults: `log.unavailable` (busy). Records of one caller keep their order per certname. */
  abstract append(record: NewRecord): Promise<Position>;

  /** `start` maps each partition to be read to the offset of the first record wanted. */
  abstract reader(start: ReadonlyMap<number, number>): LogReader;

  /** For each partition the offset that the next append will get; everything below it can be read. */
  abstract ends(): Promise<ReadonlyMap<number, number>>;

  abstract close(): Promise<void>;
}
