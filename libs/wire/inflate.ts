import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { Fault } from '#fault';
import { mostExpansion } from '#limits';

const gunzipAsync = promisify<Buffer, { maxOutputLength: number; chunkSize: number }, Buffer>(gunzip);

/** What inflates to no more than this is inflated at once: a trip to the thread pool would cost more. */
const smallBytes = 128 << 10;

/**
 * A payload's bytes, inflated where they are compressed, large ones off the event loop. Faults: `wire.too-large` past `maxBytes`
 * (nothing larger is ever held), `wire.gzip` if they are no gzip stream.
 */
export async function inflate(payload: Buffer, encoding: 'identity' | 'gzip', maxBytes: number): Promise<Buffer> {
  if (encoding === 'identity') {
    if (payload.length > maxBytes) throw tooLarge(maxBytes);
    return payload;
  }
  const chunkSize = outputSize(payload, maxBytes);
  if (chunkSize <= smallBytes) {
    try {
      return gunzipSync(payload, { maxOutputLength: Math.min(maxBytes, smallBytes), chunkSize });
    } catch (error) {
      // Its trailer may have been wrong.
      if (!isTooLarge(error) || maxBytes <= smallBytes) throw failure(error, maxBytes);
    }
  }
  try {
    return await gunzipAsync(payload, { maxOutputLength: maxBytes, chunkSize });
  } catch (error) {
    throw failure(error, maxBytes);
  }
}

const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

const failure = (error: unknown, maxBytes: number): Fault =>
  isTooLarge(error)
    ? tooLarge(maxBytes)
    : new Fault('malformed', 'wire.gzip', 'The payload is said to be compressed, but it is no complete gzip stream.', {
        cause: error,
      });

/**
 * Room for the whole output at once, by what the stream's trailer says of it: pieces would each cost a trip to the thread
 * pool and a copy. The trailer may lie, so its word counts only as far as it can be true; and it is that of the last member
 * only, so that there is room for as much as came in all cases.
 */
function outputSize(payload: Buffer, maxBytes: number): number {
  const said = payload.length >= 18 ? payload.readUInt32LE(payload.length - 4) : 0;
  const likely = Math.max(said, payload.length);
  return Math.max(1024, Math.min(likely, maxBytes, payload.length * mostExpansion) + 1);
}

function tooLarge(maxBytes: number): Fault {
  return new Fault('too-large', 'wire.too-large', `The payload has more than ${maxBytes} bytes when inflated.`);
}
