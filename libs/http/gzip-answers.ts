import { Readable, pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import { eventStreamType } from './event-stream';
import type { FastifyInstance, FastifyReply } from './fastify';

/** A smaller answer is not compressed, because it fits in one packet. */
const minBytes = 1400;
const options = { level: 4, memLevel: 8 };
/**
 * Options for event streams. Each write is sent at once. Many streams can stay open, so each takes only 48 kB of memory
 * instead of 256 kB.
 */
const streamOptions = { level: 4, windowBits: 13, memLevel: 5, flush: constants.Z_SYNC_FLUSH };
const compress = promisify(gzip);
const textual = /^(application\/(x-nd)?json|text\/)/;

export function gzipAnswers(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply, payload: unknown) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (!textual.test(type)) return payload;
    // Answers that are cached in compressed form set the header `vary` themselves.
    const varies = String(reply.getHeader('vary') ?? '');
    if (!varies.includes('Accept-Encoding'))
      void reply.header('vary', varies === '' ? 'Accept-Encoding' : `${varies}, Accept-Encoding`);
    if (reply.hasHeader('content-encoding') || request.method === 'HEAD') return payload;
    if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
    if (payload instanceof Readable) {
      compressed(reply);
      // An error in the payload destroys the gzip stream, and the reply gets the error from this stream.
      const how = type === eventStreamType ? streamOptions : { ...options, flush: constants.Z_NO_FLUSH };
      return pipeline(payload, createGzip(how), () => undefined);
    }
    if (!(typeof payload === 'string' || Buffer.isBuffer(payload)) || Buffer.byteLength(payload) < minBytes)
      return payload;
    compressed(reply);
    return compress(payload, options);
  });
}

function compressed(reply: FastifyReply): void {
  void reply.header('content-encoding', 'gzip').removeHeader('content-length');
}

/**
 * Returns whether the client accepts gzip, as RFC 9110 describes: the header must contain `gzip`, `x-gzip` or `*` with
 * a weight above 0. If the header contains `gzip`, `*` does not matter.
 */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map<string, number>();
  for (const part of String(header).toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
