import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { createGunzip } from 'node:zlib';

export interface HttpConnectionOptions {
  /** The most connections. They stay open until `close`. Default: a new connection for each request. */
  readonly connections?: number | undefined;
  /** How long the server may send nothing, in milliseconds. Default: without limit. */
  readonly silenceMs?: number | undefined;
  /** The most bytes of a body that `exchange` returns. Default: without limit. */
  readonly mostBytes?: number | undefined;
}

export interface HttpRequest {
  readonly method: string;
  /** Begins with a slash and may have a query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer | Readable | undefined;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
  /** Certificates for HTTPS. */
  readonly tls?: SecureContextOptions | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Sends requests to one server over HTTP or HTTPS. Rejects with the error of Node.js if the connection fails. */
export class HttpConnection {
  readonly isSecure: boolean;
  private readonly base: string;
  private readonly agent: HttpAgent | HttpsAgent;

  /** `url`: such as `https://puppetdb.example.com:8081`; may have a path. Throws if it is not a URL. */
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

  /** Returns the answer as soon as its headers have arrived. The caller reads or destroys its body. */
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

  /** Returns the whole answer, with any status. Inflates a gzip body. */
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
