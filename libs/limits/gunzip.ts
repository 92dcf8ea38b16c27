import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { mostExpansion } from './deflate';

const gunzipAsync = promisify<Buffer, { maxOutputLength: number; chunkSize: number }, Buffer>(gunzip);

/** Output of up to this size is inflated synchronously: the thread pool would cost more. */
const smallBytes = 128 << 10;

/**
 * Inflates a gzip stream, large ones in the thread pool. Never holds more than `maxBytes` of output. Throws an error of
 * `node:zlib` if the bytes are not a complete gzip stream, or if they inflate to more (`isTooLarge`).
 */
export async function gunzipWithin(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const chunkSize = outputSize(bytes, maxBytes);
  if (chunkSize <= smallBytes) {
    try {
      return gunzipSync(bytes, { maxOutputLength: Math.min(maxBytes, smallBytes), chunkSize });
    } catch (error) {
      // The trailer may be wrong.
      if (!isTooLarge(error) || maxBytes <= smallBytes) throw error;
    }
  }
  return gunzipAsync(bytes, { maxOutputLength: maxBytes, chunkSize });
}

/** Returns whether `gunzipWithin` failed because of its limit. */
export const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Returns the size of one buffer for the whole output, from the trailer of the stream. Without it, each further piece
 * would cost a task of the thread pool and a copy. The trailer may be wrong, so the size is limited by the greatest
 * possible ratio. It describes only the last gzip member, so the buffer is always at least as large as the input.
 */
function outputSize(bytes: Buffer, maxBytes: number): number {
  const trailer = bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 0;
  const likely = Math.max(trailer, bytes.length);
  return Math.max(1024, Math.min(likely, maxBytes, bytes.length * mostExpansion) + 1);
}
