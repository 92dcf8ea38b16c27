import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Fault } from '#fault';
import type { FastifyRequest } from './fastify';

const inflate = promisify(gunzip);

/**
 * The request's body, inflated if it came compressed; empty without one. Faults: `http.encoding` (415) for another
 * coding than gzip, `http.body-too-large` for more than `maxBytes` inflated, `http.body` for bytes that are no gzip.
 */
export async function requestBody(request: FastifyRequest, maxBytes: number): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const coding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (coding !== 'identity' && coding !== 'gzip' && coding !== 'x-gzip') {
    throw new Fault('unacceptable', 'http.encoding', `content encoding ${coding} not supported`, {
      details: { status: 415 },
    });
  }
  if (body.length > maxBytes) throw tooLarge(maxBytes);
  if (coding === 'identity' || body.length === 0) return body;
  try {
    return await inflate(body, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new Fault('malformed', 'http.body', 'The body says that it is compressed with gzip, but it is not.', {
      cause,
      details: { form: 'text' },
    });
  }
}

const tooLarge = (maxBytes: number): Fault =>
  new Fault('too-large', 'http.body-too-large', `The body is larger than the ${maxBytes} bytes that are accepted.`);
