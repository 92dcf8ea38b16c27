import type { RecordParts } from './document-parts';

export type PayloadEncoding = 'identity' | 'gzip';

/** Only positions in the same partition can be compared. Offset 0 is the header record. */
export interface Position {
  readonly partition: number;
  readonly offset: number;
}

export interface NewRecord {
  readonly uuid: string;
  /** With spaces, such as `replace facts`. */
  readonly command: string;
  readonly version: number;
  readonly certname: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly encoding: PayloadEncoding;
  /** The payload of a compressed request stays compressed. */
  readonly payload: Buffer;
  /** Only some commands have headers, such as `producer-timestamp` and `retry-of`. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LogRecord extends NewRecord, Position {
  /** Offset of the next record in the partition if it is not `offset + 1`. Only a base has such gaps. */
  readonly next?: number;
  /**
   * Present if the reader accepts stored parts (`ReaderOptions.inParts`). In this case, `payload` is incomplete, and
   * `wholeRecord` returns the record with the whole payload.
   */
  readonly parts?: RecordParts;
}

export async function wholeRecord(record: LogRecord): Promise<LogRecord> {
  if (record.parts === undefined) return record;
  const { parts, ...whole } = record;
  return { ...whole, payload: await parts.whole() };
}

export const offsetAfter = ({ offset, next }: LogRecord): number => next ?? offset + 1;

/** Stored with every set of positions, so that a process can refuse positions that belong to another log. */
export interface LogIdentity {
  readonly logId: string;
  readonly partitions: number;
}
