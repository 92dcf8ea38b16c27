import { Http2ServerResponse, type OutgoingHttpHeaders } from 'node:http2';

/** An HTTP/2 answer that behaves as Fastify expects of an HTTP/1.1 answer. */
export class Http2Answer extends Http2ServerResponse {
  private given = 0;

  get writtenBytes(): number {
    return this.given;
  }

  /** HTTP/2 does not have the header `connection`. Node.js would drop the header with a warning. */
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

  /**
   * Always destroys the stream with an error. Without an error, clients would treat the incomplete answer as complete.
   */
  override destroy(error = new Error('The answer was broken off.')): this {
    super.destroy(error);
    return this;
  }
}
