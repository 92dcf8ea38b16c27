import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { createGunzip } from 'node:zlib';

export interface HttpConnectionOptions {
  /** Largest number of connections that stay open until `close`. By default, each request opens a new connection. */
  readonly connections?: number | undefined;
  /** If the server sends no data for this many milliseconds, the request fails. By default, there is no limit. */
  readonly silenceMs?: number | undefined;
  /** Largest number of bytes in a body that `exchange` returns. By default, there is no limit. */
  readonly mostBytes?: number | undefined;
}

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer | Readable | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly tls?: SecureContextOptions | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export class HttpConnection {
  readonly isSecure: boolean;
  private readonly base: string;
  private readonly agent: HttpAgent | HttpsAgent;

  /** `url` may contain a path. Throws if `url` is not a URL. */
  constructor(
    url: string,
    private readonly options: HttpConnectionOptions = {},
  ) {
    this.isSecure = new URL(url).protocol === 'https:';
    this.base = url.replace(/\/+$/, '');
    const { connections } = options;
    const agentOptions = connections === undefined ? {} : { keepAlive: true, maxSockets: connections };
    this.agent = this.isSecure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
  }

  /**
   * Resolves as soon as the headers of the answer have arrived. The caller must read or destroy the body. If the
   * connection fails, rejects with the error from Node.js.
   */
  open({ method, path, headers, body, signal, tls }: HttpRequest): Promise<IncomingMessage> {
    const { silenceMs } = this.options;
    const options = {
      ...{ method, agent: this.agent, headers },
      ...(signal !== undefined && { signal }),
      ...(silenceMs !== undefined && { timeout: silenceMs }),
    };
    return new Promise((resolve, reject) => {
      const url = this.base + path;
      const request = this.isSecure ? httpsRequest(url, { ...options, ...tls }) : httpRequest(url, options);
      request.on('response', resolve);
      request.on('timeout', () => request.destroy(new Error(`no answer within ${(silenceMs ?? 0) / 1000} s`)));
      request.on('error', reject);
      if (body instanceof Readable) body.on('error', (error) => request.destroy(error)).pipe(request);
      else request.end(body);
    });
  }

  /** Returns the answer with its whole body, whatever the status is. Inflates a body that is compressed with gzip. */
  async exchange(request: HttpRequest): Promise<Answer> {
    const { mostBytes = Infinity } = this.options;
    const answer = await this.open(request);
    const isGzip = answer.headers['content-encoding'] === 'gzip';
    const body: AsyncIterable<Buffer> = isGzip ? pipeline(answer, createGunzip(), () => undefined) : answer;
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length > mostBytes) throw new Error(`an answer has more than ${mostBytes} bytes`);
    }
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) };
  }

  close(): void {
    this.agent.destroy();
  }
}
