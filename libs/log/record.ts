import type { RecordParts } from './document-parts';

/** Encoding of the payload as the client sent it. */
export type PayloadEncoding = 'identity' | 'gzip';

/** A position in the log. Only positions of the same partition can be compared. Offset 0 is the header record. */
export interface Position {
  readonly partition: number;
  readonly offset: number;
}

export interface NewRecord {
  /** The UUID of the command, which the client received in the answer. */
  readonly uuid: string;
  /** Canonical name of the command with spaces, such as `replace facts`. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** Time when the service received the command, in milliseconds since 1970. */
  readonly receivedAt: number;
  readonly encoding: PayloadEncoding;
  /** The payload as it was received. The payload from a compressed request stays compressed. */
  readonly payload: Buffer;
  /** Headers that only some commands have, such as `producer-timestamp` and `retry-of`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LogRecord extends NewRecord, Position {
  /** Offset of the next record in the partition, if this offset is not `offset + 1`. Only a base has such gaps. */
  readonly next?: number;
  /**
   * Stored parts of the payload, if the reader accepts parts (`ReaderOptions.inParts`). `payload` is then incomplete,
   * and `wholeRecord` completes it.
   */
  readonly parts?: RecordParts;
}

export async function wholeRecord(record: LogRecord): Promise<LogRecord> {
  if (record.parts === undefined) return record;
  const { parts, ...whole } = record;
  return { ...whole, payload: await parts.whole() };
}

/** Returns the offset at which reading continues after the record. */
export const offsetAfter = ({ offset, next }: LogRecord): number => next ?? offset + 1;

/**
 * Identity of a log. The identity is stored with each set of positions, so that positions from another log are refused.
 */
export interface LogIdentity {
  readonly logId: string;
  readonly partitions: number;
}
