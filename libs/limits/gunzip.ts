import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { mostExpansion } from './deflate';

const gunzipAsync = promisify<Buffer, { maxOutputLength: number; chunkSize: number }, Buffer>(gunzip);

/** Up to this size of the output, inflating in the calling thread is faster than using the thread pool. */
const smallBytes = 128 << 10;

/**
 * Inflates gzip data. The output never takes more than `maxBytes` of memory. Throws an error of `node:zlib` if the data
 * is not complete, or if the output is larger than `maxBytes` (`isTooLarge`).
 */
export async function gunzipWithin(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  const chunkSize = outputSize(bytes, maxBytes);
  if (chunkSize <= smallBytes) {
    try {
      return gunzipSync(bytes, { maxOutputLength: Math.min(maxBytes, smallBytes), chunkSize });
    } catch (error) {
      // The trailer may have stated too small a size. In this case, inflates the data again, with the real limit.
      if (!isTooLarge(error) || maxBytes <= smallBytes) throw error;
    }
  }
  return gunzipAsync(bytes, { maxOutputLength: maxBytes, chunkSize });
}

/** Like `gunzipWithin`, but always inflates in the calling thread. */
export const gunzipWithinSync = (bytes: Uint8Array, maxBytes: number): Buffer =>
  gunzipSync(bytes, {
    maxOutputLength: maxBytes,
    chunkSize: outputSize(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), maxBytes),
  });

export const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Estimates the size of the output from the trailer. If the estimate is right, one output buffer is enough. Each
 * further buffer would cost a task of the thread pool and a copy. The trailer can be wrong, so the estimate is never
 * larger than deflate allows for this input. The trailer describes only the last member of a gzip stream, so the
 * estimate is never smaller than the input.
 */
function outputSize(bytes: Buffer, maxBytes: number): number {
  const trailer = bytes.length >= 18 ? bytes.readUInt32LE(bytes.length - 4) : 0;
  const likely = Math.max(trailer, bytes.length);
  return Math.max(1024, Math.min(likely, maxBytes, bytes.length * mostExpansion) + 1);
}
