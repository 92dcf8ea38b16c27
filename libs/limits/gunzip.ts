import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { mostExpansion } from './deflate';

const gunzipAsync = promisify<Buffer, { maxOutputLength: number; chunkSize: number }, Buffer>(gunzip);

/**
 * Largest output in bytes that is inflated in the calling thread. For small output, the thread pool costs more time
 * than inflating.
 */
const smallBytes = 128 << 10;

/**
 * Inflates a gzip stream. Uses the thread pool if the output is large. The output never takes more than `maxBytes` of
 * memory. Throws an error from `node:zlib` if the bytes are not a complete gzip stream. Also throws if the output is
 * larger than `maxBytes` (`isTooLarge`).
 */
export async function gunzipWithin(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const chunkSize = outputSize(bytes, maxBytes);
  if (chunkSize <= smallBytes) {
    try {
      return gunzipSync(bytes, { maxOutputLength: Math.min(maxBytes, smallBytes), chunkSize });
    } catch (error) {
      // The trailer may state a size that is too small. So inflates the stream again, with the real limit.
      if (!isTooLarge(error) || maxBytes <= smallBytes) throw error;
    }
  }
  return gunzipAsync(bytes, { maxOutputLength: maxBytes, chunkSize });
}

/** Inflates like `gunzipWithin`, but always in the calling thread. */
export const gunzipWithinSync = (bytes: Uint8Array, maxBytes: number): Buffer =>
  gunzipSync(bytes, {
    maxOutputLength: maxBytes,
    chunkSize: outputSize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), maxBytes),
  });

/** Returns whether `gunzipWithin` failed because the output is larger than its limit. */
export const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Estimates the size of the output from the trailer of the stream, so that one buffer holds the whole output. Each
 * additional buffer would cost a task of the thread pool and a copy. The trailer may be wrong, so the estimate is at
 * most the size at the largest possible ratio. The trailer describes only the last member of a gzip stream, so the
 * estimate is at least the size of the input.
 */
function outputSize(bytes: Buffer, maxBytes: number): number {
  const trailer = bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 0;
  const likely = Math.max(trailer, bytes.length);
  return Math.max(1024, Math.min(likely, maxBytes, bytes.length * mostExpansion) + 1);
}
