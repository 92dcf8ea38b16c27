/** A record as a message of Kafka: the payload is the value, everything else a header. */
import type { IHeaders, Message } from 'kafkajs';
import { restorePayload, type StoredPayload } from '../payload-storage';
import type { LogRecord, NewRecord, PayloadEncoding, Position } from '../record';

/** Prefix of the headers of the record itself. */
const own = 'h.';

/** A message as readers get it. */
export interface ReadMessage {
  readonly offset: string;
  readonly value: Buffer | null;
  readonly headers?: IHeaders | undefined;
}

/** The original offset of a record of a base, and that of the next record. */
export interface OriginalPlace {
  readonly offset: number;
  readonly next: number;
}

/**
 * Returns the message of a record. It has no key: the partition is given, the topic must not be compacted by key, and a key
 * would be a second copy of the certname.
 */
export function messageOf(
  { uuid, command, version, certname, receivedAt, encoding, headers }: NewRecord,
  partition: number,
  { value, deflated }: StoredPayload,
  place?: OriginalPlace,
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
      ...(place !== undefined && { offset: String(place.offset), next: String(place.next) }),
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [own + name, value])),
    },
  };
}

const text = (headers: IHeaders, name: string): string | undefined => {
  const value = headers[name];
  return value === undefined || Array.isArray(value) ? undefined : value.toString();
};

const number = (headers: IHeaders, name: string): number => Number(text(headers, name) ?? NaN);

/** Returns the command in the headers of a message, or undefined if there is none. */
export const commandOf = ({ headers }: ReadMessage): string | undefined => headers && text(headers, 'command');

/** Returns the original offsets of a message of a base; NaN if they are missing. */
export const placeOf = ({ headers = {} }: ReadMessage): OriginalPlace => ({
  offset: number(headers, 'offset'),
  next: number(headers, 'next'),
});

/** Returns the size of the payload that the message contains, inflated if the log has deflated it. */
export function plainBytesOf({ value, headers = {} }: ReadMessage): number {
  if (value === null) return 0;
  const isDeflated = text(headers, 'stored') !== undefined && value.length >= 4;
  return isDeflated ? value.readUInt32LE(value.length - 4) : value.length;
}

/** Upper bound of the bytes that a record takes in a batch besides its payload. */
function overheadOf({ command, certname, headers }: NewRecord): number {
  let length = command.length + certname.length;
  for (const [name, value] of Object.entries(headers ?? {})) length += name.length + value.length + 8;
  return 256 + 3 * length;
}

export const sizeOf = (record: NewRecord): number => record.payload.length + overheadOf(record);

/** Returns the record of a message, or undefined if no log wrote the message. */
export async function recordOf(
  message: ReadMessage,
  { partition, offset, next }: Position & Partial<OriginalPlace>,
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
