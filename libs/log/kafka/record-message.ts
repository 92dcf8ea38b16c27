/** The value of a message is the payload of the record. All other fields of the record become headers. */
import type { IHeaders, Message } from 'kafkajs';
import { restorePayload, type StoredPayload } from '../payload-storage';
import type { LogRecord, NewRecord, PayloadEncoding, Position } from '../record';

const own = 'h.';

export interface ReadMessage {
  readonly offset: string;
  readonly value: Buffer | null;
  readonly headers?: IHeaders | undefined;
}

export interface OriginalOffsets {
  readonly offset: number;
  readonly next: number;
}

/** The message has no key: the caller chooses the partition, and compaction by key would lose records. */
export function messageOf(
  { uuid, command, version, certname, receivedAt, encoding, headers }: NewRecord,
  partition: number,
  { value, deflated }: StoredPayload,
  original?: OriginalOffsets,
): Message {
  return {
    partition,
    key: null,
    value,
    timestamp: String(Date.now()),
    headers: {
      uuid,
      command,
      version: String(version),
      certname,
      received: String(receivedAt),
      encoding,
      ...(deflated && { stored: 'gzip' }),
      ...(original !== undefined && { offset: String(original.offset), next: String(original.next) }),
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [own + name, value])),
    },
  };
}

const text = (headers: IHeaders, name: string): string | undefined => {
  const value = headers[name];
  return value === undefined || Array.isArray(value) ? undefined : value.toString();
};

const number = (headers: IHeaders, name: string): number => Number(text(headers, name) ?? NaN);

export const commandOf = ({ headers }: ReadMessage): string | undefined => headers && text(headers, 'command');

/** A missing offset is NaN. */
export const originalOffsets = ({ headers = {} }: ReadMessage): OriginalOffsets => ({
  offset: number(headers, 'offset'),
  next: number(headers, 'next'),
});

export function plainBytesOf({ value, headers = {} }: ReadMessage): number {
  if (value === null) return 0;
  const isDeflated = text(headers, 'stored') !== undefined && value.length >= 4;
  return isDeflated ? value.readUInt32LE(value.length - 4) : value.length;
}

function overheadOf({ command, certname, headers }: NewRecord): number {
  let length = command.length + certname.length;
  for (const [name, value] of Object.entries(headers ?? {})) length += name.length + value.length + 8;
  return 256 + 3 * length;
}

export const sizeOf = (record: NewRecord): number => record.payload.length + overheadOf(record);

/** Returns undefined if the message was not written by a log. */
export async function recordOf(
  message: ReadMessage,
  { partition, offset, next }: Position & Partial<OriginalOffsets>,
): Promise<LogRecord | undefined> {
  const { headers = {}, value } = message;
  const uuid = text(headers, 'uuid');
  const command = text(headers, 'command');
  const certname = text(headers, 'certname');
  const version = number(headers, 'version');
  const receivedAt = number(headers, 'received');
  const encoding = text(headers, 'encoding');
  if (uuid === undefined || command === undefined || certname === undefined) return undefined;
  if (Number.isNaN(version) || Number.isNaN(receivedAt)) return undefined;
  if (encoding !== 'identity' && encoding !== 'gzip') return undefined;
  const its = Object.keys(headers).filter((name) => name.startsWith(own));
  return {
    uuid,
    command,
    version,
    certname,
    receivedAt,
    encoding: encoding satisfies PayloadEncoding,
    payload: await restorePayload({ value: value ?? Buffer.alloc(0), deflated: 'stored' in headers }),
    ...(its.length > 0 && {
      headers: Object.fromEntries(its.map((name) => [name.slice(own.length), text(headers, name) ?? ''])),
    }),
    partition,
    offset,
    ...(next !== undefined && next !== offset + 1 && { next }),
  };
}
