import { createGunzip } from 'node:zlib';
import { excerpt, Fault } from '#fault';
import { bodyMemoryOf } from './body-memory';
import type { FastifyRequest } from './fastify';
import { readBody } from './read-body';

const pieceBytes = 64 << 10;

/**
 * Returns the body of a request, decompressed if it is compressed with gzip, or an empty buffer if the request has no
 * body. Throws `http.encoding` (415) for another encoding, and `http.body` for invalid gzip data. If the body has more
 * than `most` bytes, throws the fault that `refuse` makes. If the budget for bodies is used up, throws `http.crowded`
 * (503).
 */
export async function requestBody(
  request: FastifyRequest,
  most: number,
  refuse: (found?: number) => Fault = () => tooLarge(most),
): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding !== 'identity' && coding !== 'gzip' && coding !== 'x-gzip') {
    throw new Fault('unacceptable', 'http.encoding', `content encoding ${excerpt(coding)} not supported`, {
      details: { status: 415 },
    });
  }
  if (body.length > most) throw refuse(body.length);
  if (coding === 'identity' || body.length === 0) return body;
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  gunzip.end(body);
  try {
    const inflated = await readBody(gunzip, { most, memory: bodyMemoryOf(request), broken: notGzip });
    if (inflated === undefined) throw refuse();
    return inflated;
  } finally {
    gunzip.destroy();
  }
}

const notGzip = (cause: unknown): Fault =>
  new Fault('malformed', 'http.body', 'The body says that it is compressed with gzip, but it is not.', {
    cause,
    details: { form: 'text' },
  });

/** Returns the fault for a body that exceeds a limit that no setting can change. */
export const tooLarge = (most: number): Fault =>
  new Fault('too-large', 'http.body-too-large', `The body is larger than the ${most} bytes that are accepted.`);
