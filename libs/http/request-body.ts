import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { excerpt, Fault, isFault } from '#fault';
import { inflateReserved } from './body-reservation';
import type { FastifyRequest } from './fastify';

const inflate = promisify(gunzip);

/**
 * The request's body, inflated if it came compressed; empty without one. Faults: `http.encoding` (415) for another
 * coding than gzip, what `refuse` gives for more than `most` bytes inflated, `http.body` for bytes that are no gzip.
 */
export async function requestBody(
  request: FastifyRequest,
  most: number,
  refuse: (found?: number) => Fault = () => tooLarge(most),
): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const coding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (coding !== 'identity' && coding !== 'gzip' && coding !== 'x-gzip') {
    throw new Fault('unacceptable', 'http.encoding', `content encoding ${excerpt(coding)} not supported`, {
      details: { status: 415 },
    });
  }
  if (body.length > most) throw refuse(body.length);
  if (coding === 'identity' || body.length === 0) return body;
  try {
    return await inflateReserved(request, { compressedBytes: body.length, mostBytes: most }, () =>
      inflate(body, { maxOutputLength: most }),
    );
  } catch (cause) {
    if (isFault(cause)) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw refuse();
    throw new Fault('malformed', 'http.body', 'The body says that it is compressed with gzip, but it is not.', {
      cause,
      details: { form: 'text' },
    });
  }
}

/** The refusal of a body where no setting is behind the limit. */
export const tooLarge = (most: number): Fault =>
  new Fault('too-large', 'http.body-too-large', `The body is larger than the ${most} bytes that are accepted.`);
