/**
 * Payloads that came as plain JSON are stored compressed, each by itself, where that makes them clearly smaller; what
 * came compressed is stored as it came. Deflating and inflating run in the thread pool.
 */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { PayloadEncoding } from '../record';

const deflate = promisify(gzip);
const inflate = promisify(gunzip);

/** Below this a record's own headers weigh more than what could be saved. */
const worthDeflating = 1024;
/** Deflated must be smaller than this share. */
const worthKeeping = 0.9;
const largestPayload = 512 << 20;

export interface StoredPayload {
  readonly value: Buffer;
  /** The value is the payload deflated by us: a reader has to undo it. */
  readonly deflated: boolean;
}

export async function storePayload(payload: Buffer, encoding: PayloadEncoding): Promise<StoredPayload> {
  if (encoding !== 'identity' || payload.length < worthDeflating) return { value: payload, deflated: false };
  const value = await deflate(payload, { level: 1 });
  return value.length < payload.length * worthKeeping ? { value, deflated: true } : { value: payload, deflated: false };
}

export async function restorePayload({ value, deflated }: StoredPayload): Promise<Buffer> {
  return deflated ? inflate(value, { maxOutputLength: largestPayload }) : value;
}
