/** A record as a message of Kafka: the payload is the value, everything else a header. */
import type { IHeaders, Message } from 'kafkajs';
import { restorePayload, type StoredPayload } from '../payload-storage';
import type { LogRecord, NewRecord, PayloadEncoding, Position } from '../record';

/** Marks headers that are the record's own. */
const own = 'h.';

/** What readers get of a message. */
export interface ReadMessage {
  readonly offset: string;
  readonly value: Buffer | null;
  readonly headers?: IHeaders | undefined;
}

/** The place that a record of a base had in the log. */
export interface OriginalPlace {
  readonly offset: number;
  readonly next: number;
}

/**
 * No key: the partition is given outright, and nothing may ever be compacted by key; a key would be a second copy of the
 * certname in each record.
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

/** The command that a message says it is; undefined for what was not written by us. */
export const commandOf = ({ headers }: ReadMessage): string | undefined => headers && text(headers, 'command');

/** Where in the log a message of a base belongs. */
export const placeOf = ({ headers = {} }: ReadMessage): OriginalPlace => ({
  offset: number(headers, 'offset'),
  next: number(headers, 'next'),
});

/** Bytes that a record takes in a batch besides its payload; a little more than it really is. */
export function overheadOf({ command, certname, headers }: NewRecord): number {
  let length = command.length + certname.length;
  for (const [name, value] of Object.entries(headers ?? {})) length += name.length + value.length + 8;
  return 256 + 3 * length;
}

/** The record of a message; undefined where it is none of ours. */
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
