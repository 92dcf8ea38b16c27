import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { gunzipWithin } from '#limits';
import type { NewRecord, PayloadEncoding } from './record';

const deflate = promisify(gzip);

/**
 * In bytes. Smaller payloads are not compressed, because compression would save less than the headers of the record
 * take.
 */
const worthDeflating = 1024;
/** A compressed payload is stored if its size is below this share of the original size. */
const worthKeeping = 0.9;
/**
 * The lowest level whose output is at most 10 % larger than the output of clients that compress
 * (test/load/attempts.md).
 */
const level = 5;
const largestPayload = 512 << 20;
/** Each compression takes 0.3 MB of memory. The other threads of the pool stay free for inflating. */
const mostAtOnce = 2;

export interface StoredPayload {
  readonly value: Buffer;
  readonly deflated: boolean;
}

/**
 * Map from an inflated payload to the compressed value, so that a copy of the log need not compress the payload again.
 */
const deflatedFrom = new WeakMap<Buffer, Buffer>();

export const isWorthDeflating = ({ payload, encoding }: Pick<NewRecord, 'payload' | 'encoding'>): boolean =>
  encoding === 'identity' && payload.length >= worthDeflating;

export async function storePayload(payload: Buffer, encoding: PayloadEncoding): Promise<StoredPayload> {
  if (!isWorthDeflating({ payload, encoding })) return { value: payload, deflated: false };
  const known = deflatedFrom.get(payload);
  if (known !== undefined) return { value: known, deflated: true };
  const value = await inTurn(() => deflate(payload, { level }));
  return value.length < payload.length * worthKeeping ? { value, deflated: true } : { value: payload, deflated: false };
}

/** Throws if the value is not a result of `storePayload`. */
export async function restorePayload({ value, deflated }: StoredPayload): Promise<Buffer> {
  // The last four bytes of a gzip stream are the length of the original data.
  return deflated ? inflatedTo(value.readUInt32LE(value.length - 4), value) : value;
}

/** Throws if the result does not have `plainBytes` bytes. */
export async function inflatedTo(plainBytes: number, value: Buffer): Promise<Buffer> {
  if (plainBytes > largestPayload) throw new RangeError(`no payload has ${plainBytes} bytes`);
  const payload = await gunzipWithin(value, plainBytes);
  if (payload.length !== plainBytes) throw new RangeError(`${payload.length} bytes came, not ${plainBytes}`);
  deflatedFrom.set(payload, value);
  return payload;
}

let deflating = 0;
const turns: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (deflating < mostAtOnce) deflating += 1;
  else await new Promise<void>((resolve) => turns.push(resolve));
  try {
    return await work();
  } finally {
    const next = turns.shift();
    if (next === undefined) deflating -= 1;
    else next();
  }
}
