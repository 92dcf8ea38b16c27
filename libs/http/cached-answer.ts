import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from './fastify';
import { acceptsGzip } from './gzip-answers';

const compress = promisify(gzip);

/**
 * An answer that never changes and is compressed only once. If `headers` does not contain cache-control, browsers check
 * before each use whether the answer has changed.
 */
export class CachedAnswer {
  private constructor(
    private readonly type: string,
    private readonly whole: Buffer,
    private readonly compressed: Buffer,
    private readonly tag: string,
  ) {}

  static async of(type: string, bytes: Buffer): Promise<CachedAnswer> {
    const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    // The tag is weak (`W/`), because it is the same for the compressed and the uncompressed bytes.
    return new CachedAnswer(type, bytes, await compress(bytes), `W/"${digest}"`);
  }

  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    void reply.headers({ 'cache-control': 'no-cache', ...headers, etag: this.tag, vary: 'Accept-Encoding' });
    if (isKnown(request.headers['if-none-match'], this.tag)) {
      await reply.status(304).send();
      return;
    }
    void reply.header('content-type', this.type);
    if (!acceptsGzip(request.headers['accept-encoding'])) {
      await reply.send(this.whole);
      return;
    }
    await reply.header('content-encoding', 'gzip').send(this.compressed);
  }
}

const isKnown = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(',').some((one) => one.trim() === '*' || weak(one.trim()) === tag);

const weak = (tag: string): string => (tag.startsWith('W/') ? tag : `W/${tag}`);
