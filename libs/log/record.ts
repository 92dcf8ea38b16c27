/** How the payload's bytes are stored: exactly as they were received. */
export type PayloadEncoding = 'identity' | 'gzip';

/** A position in the log. Comparable only within a partition. `offset` counts from 0, the offset of the header record. */
export interface Position {
  readonly partition: number;
  readonly offset: number;
}

/** What the write side hands to the log. */
export interface NewRecord {
  /** RFC 4122 text; the id that the client was given. */
  readonly uuid: string;
  /** Canonical name with spaces, e.g. `replace facts`. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** Epoch milliseconds at which the service received the command. */
  readonly receivedAt: number;
  readonly encoding: PayloadEncoding;
  /** The payload's bytes as they came (compressed bodies stay compressed). */
  readonly payload: Buffer;
  /** Further header values that only some commands carry (e.g. `producer-timestamp`, `retry-of`). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One accepted command at its position. */
export interface LogRecord extends NewRecord, Position {
  /** Offset of the record that follows in the partition, where that is not the next number: a base has holes. */
  readonly next?: number;
}

/** The offset at which reading goes on behind a record. */
export const offsetAfter = ({ offset, next }: LogRecord): number => next ?? offset + 1;

/** Who a log is; kept beside every set of positions, so that positions of another log are never trusted. */
export interface LogIdentity {
  readonly logId: string;
  readonly partitions: number;
}
