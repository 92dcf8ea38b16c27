import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Fault } from '#fault';

const gunzipAsync = promisify<Buffer, { maxOutputLength: number; chunkSize: number }, Buffer>(gunzip);

/**
 * A payload's bytes, inflated where they are compressed, off the event loop. Faults: `wire.too-large` past `maxBytes`
 * (nothing larger is ever held), `wire.gzip` if they are no gzip stream.
 */
export async function inflate(payload: Buffer, encoding: 'identity' | 'gzip', maxBytes: number): Promise<Buffer> {
  if (encoding === 'identity') {
    if (payload.length > maxBytes) throw tooLarge(maxBytes);
    return payload;
  }
  try {
    return await gunzipAsync(payload, { maxOutputLength: maxBytes, chunkSize: outputSize(payload, maxBytes) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new Fault(
      'malformed',
      'wire.gzip',
      'The payload is said to be compressed, but it is no complete gzip stream.',
      { cause: error },
    );
  }
}

/** Deflate makes no byte into more than this many. */
const mostExpansion = 1032;

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
