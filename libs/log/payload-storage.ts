/**
 * Payloads that came as plain JSON are stored compressed, each by itself, where that makes them clearly smaller; what
 * came compressed is stored as it came. Deflating runs in the thread pool, and so does inflating, but for small ones.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { gunzipWithin } from '#limits';
import type { NewRecord, PayloadEncoding } from './record';

const deflate = promisify(gzip);

/** Below this a record's own headers weigh more than what could be saved. */
const worthDeflating = 1024;
/** Deflated must be smaller than this share. */
const worthKeeping = 0.9;
/** The lowest level at which a log of plain payloads takes at most a tenth more than one of compressed ones (test/load/attempts.md). */
const level = 5;
const largestPayload = 512 << 20;
/** How many are deflated at once; each takes 0.3 MB of memory. The other threads of the pool stay free for inflating. */
const mostAtOnce = 2;

export interface StoredPayload {
  readonly value: Buffer;
  /** The value is the payload deflated by us: a reader has to undo it. */
  readonly deflated: boolean;
}

/** The stored values of payloads that were inflated here. A copy of the log stores these values, and need not deflate again. */
const deflatedFrom = new WeakMap<Buffer, Buffer>();

/** Whether `storePayload` has to deflate a payload to know how it is stored. Any other is stored as it came. */
export const isWorthDeflating = ({ payload, encoding }: Pick<NewRecord, 'payload' | 'encoding'>): boolean =>
  encoding === 'identity' && payload.length >= worthDeflating;

export async function storePayload(payload: Buffer, encoding: PayloadEncoding): Promise<StoredPayload> {
  if (!isWorthDeflating({ payload, encoding })) return { value: payload, deflated: false };
  const known = deflatedFrom.get(payload);
  if (known !== undefined) return { value: known, deflated: true };
  const value = await inTurn(() => deflate(payload, { level }));
  return value.length < payload.length * worthKeeping ? { value, deflated: true } : { value: payload, deflated: false };
}

/** Throws if the value is not what `storePayload` gave. */
export async function restorePayload({ value, deflated }: StoredPayload): Promise<Buffer> {
  // A gzip stream ends with the length of what it was made from.
  return deflated ? inflatedTo(value.readUInt32LE(value.length - 4), value) : value;
}

/** Inflates what `storePayload` has deflated; `plainBytes` is the length of the payload. Throws if it has another one. */
export async function inflatedTo(plainBytes: number, value: Buffer): Promise<Buffer> {
  if (plainBytes > largestPayload) throw new RangeError(`no payload has ${plainBytes} bytes`);
  const payload = await gunzipWithin(value, plainBytes);
  if (payload.length !== plainBytes) throw new RangeError(`${payload.length} bytes came, not ${plainBytes}`);
  deflatedFrom.set(payload, value);
  return payload;
}

let deflating = 0;
/** First come, first served. */
const turns: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (deflating < mostAtOnce) deflating += 1;
  else await new Promise<void>((resolve) => turns.push(resolve));
  try {
    return await work();
  } finally {
    // The next one takes over the slot.
    const next = turns.shift();
    if (next === undefined) deflating -= 1;
    else next();
  }
}
