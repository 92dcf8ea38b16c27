import type { RecordParts } from './document-parts';

/** How the payload's bytes are stored: exactly as they were received. */
export type PayloadEncoding = 'identity' | 'gzip';

/** A position in the log. Comparable only within a partition. `offset` counts from 0, the offset of the header record. */
export interface Position {
  readonly partition: number;
  readonly offset: number;
}

/** A record to append. */
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
  /** The bytes of the payload as they were received: compressed bodies stay compressed. */
  readonly payload: Buffer;
  /** Headers that only some commands have, such as `producer-timestamp` and `retry-of`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A command with its position in the log. */
export interface LogRecord extends NewRecord, Position {
  /** Offset of the next record of the partition, if it is not this offset + 1. Only a snapshot has such gaps. */
  readonly next?: number;
  /** Only for readers that take parts, if the log stores parts of the payload: the payload is then incomplete (`wholeRecord`). */
  readonly parts?: RecordParts;
}

/** Returns the record with its whole payload. */
export async function wholeRecord(record: LogRecord): Promise<LogRecord> {
  if (record.parts === undefined) return record;
  const { parts, ...whole } = record;
  return { ...whole, payload: await parts.whole() };
}

/** Returns the offset at which reading continues after a record. */
export const offsetAfter = ({ offset, next }: LogRecord): number => next ?? offset + 1;

/** Identity of a log. It is stored with each set of positions, so that positions of another log are refused. */
export interface LogIdentity {
  readonly logId: string;
  readonly partitions: number;
}
