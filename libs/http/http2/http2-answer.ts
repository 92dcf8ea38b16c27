import { Http2ServerResponse, type OutgoingHttpHeaders } from 'node:http2';

/** An answer over HTTP/2. Overrides members that differ from what Fastify expects of HTTP/1.1. */
export class Http2Answer extends Http2ServerResponse {
  private given = 0;

  /** Bytes of the body that were written so far, whether the client has received them or not. */
  get writtenBytes(): number {
    return this.given;
  }

  /** Ignores the header `connection`. HTTP/2 does not have it, and Node.js would drop it with a warning. */
  override setHeader(name: string, value: number | string | readonly string[]): void {
    if (name.toLowerCase() !== 'connection') super.setHeader(name, value);
  }

  override writeHead(status: number, ...more: unknown[]): this {
    const headers = more.find((one) => typeof one === 'object' && one !== null) as OutgoingHttpHeaders | undefined;
    const kept = Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() !== 'connection');
    return super.writeHead(status, Object.fromEntries(kept));
  }

  override write(chunk: string | Uint8Array, ...more: never[]): boolean {
    if (this.req.method === 'HEAD') {
      if (!this.headersSent) this.writeHead(this.statusCode);
      return true;
    }
    this.given += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    return super.write(chunk, ...more);
  }

  /** Without an error, clients would take the incomplete answer for the whole one. */
  override destroy(error = new Error('The answer was broken off.')): this {
    super.destroy(error);
    return this;
  }
}
