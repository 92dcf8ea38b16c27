import { excerpt, Fault } from '#fault';
import { requestBody, requireJsonAccepted, requireJsonContent, type FastifyRequest } from '#http';
import { mostExpansion } from '#limits';
import type { PayloadEncoding } from '#log';
import type { IntakeLimits } from '../intake-limits';

export function tooLarge(): Fault {
  return new Fault('too-large', 'command.too-large', 'Command rejected due to size exceeding max-command-size');
}

function readEncoding(header: string | undefined): PayloadEncoding {
  const coding = (header ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return 'identity';
  if (coding === 'gzip') return 'gzip';
  throw new Fault('unacceptable', 'command.encoding', `content encoding ${excerpt(header ?? '')} not supported`, {
    details: { status: 415 },
  });
}

/**
 * Returns the uncompressed size that a request declares. This is the header `X-Uncompressed-Length`, or else the size
 * at the end of a gzip body. A body with an impossible size at its end is truncated or has trailing bytes. The size is
 * then ignored, and decompression fails later.
 */
function declaredBytes(request: FastifyRequest, body: Buffer, encoding: PayloadEncoding): number {
  const header = request.headers['x-uncompressed-length'];
  if (typeof header === 'string' && /^\s*\+?\d{1,15}\s*$/.test(header)) return Number(header);
  const isGzip = encoding === 'gzip' && body.length >= 18 && body[0] === 0x1f && body[1] === 0x8b;
  const trailer = isGzip ? body.readUInt32LE(body.length - 4) : body.length;
  return trailer > body.length * mostExpansion ? body.length : trailer;
}

/**
 * Throws `command.too-large` (413), `command.encoding` (415), `http.content-type` (415) or `http.not-acceptable` (406).
 */
export function checkRequest(request: FastifyRequest, body: Buffer, limits: IntakeLimits): PayloadEncoding {
  const encoding = checkEncodingAndSize(request, body, limits);
  requireJsonContent(request.headers['content-type']);
  requireJsonAccepted(request.headers.accept);
  return encoding;
}

function checkEncodingAndSize(request: FastifyRequest, body: Buffer, limits: IntakeLimits): PayloadEncoding {
  const header = request.headers['content-encoding'];
  const assumed = header?.trim().toLowerCase() === 'gzip' ? 'gzip' : 'identity';
  if (Math.max(body.length, declaredBytes(request, body, assumed)) > limits.maxPayloadBytes) throw tooLarge();
  return readEncoding(header);
}

/** Throws `command.too-large`, `http.body` or `http.crowded`. */
export const inflatedBody = (request: FastifyRequest, { maxPayloadBytes }: IntakeLimits): Promise<Buffer> =>
  requestBody(request, maxPayloadBytes, tooLarge);
