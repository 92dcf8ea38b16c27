import { Fault } from '#fault';
import { gunzipWithin, isTooLarge } from '#limits';

/**
 * Throws `wire.too-large` if the result exceeds `maxBytes`, and `wire.gzip` if the payload is not a complete gzip
 * stream.
 */
export async function inflate(payload: Buffer, encoding: 'identity' | 'gzip', maxBytes: number): Promise<Buffer> {
  if (encoding === 'identity') {
    if (payload.length > maxBytes) throw tooLarge(maxBytes);
    return payload;
  }
  try {
    return await gunzipWithin(payload, maxBytes);
  } catch (cause) {
    if (isTooLarge(cause)) throw tooLarge(maxBytes);
    const message = 'The payload is said to be compressed, but it is no complete gzip stream.';
    throw new Fault('malformed', 'wire.gzip', message, { cause });
  }
}

const tooLarge = (maxBytes: number): Fault =>
  new Fault('too-large', 'wire.too-large', `The payload has more than ${maxBytes} bytes when inflated.`);
