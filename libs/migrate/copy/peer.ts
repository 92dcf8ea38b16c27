/** Asks one server over connections that stay open. Answers are kept as bytes: nothing of a document is read and written again. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { excerpt, Fault } from '#fault';

export interface PeerOptions {
  /** `https://puppetdb.example.com:8081`, perhaps with a path in front of `/pdb`. */
  readonly url: string;
  /** For messages: `the source`, `the target`. */
  readonly name: string;
  /** PEM. */
  readonly tls?: { readonly cert?: Buffer; readonly key?: Buffer; readonly ca?: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly signal: AbortSignal;
  /** Told when a request has to be repeated. */
  readonly onRetry?: (text: string) => void;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

interface Asking {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Answers besides 200 that the caller deals with. */
  readonly accepts?: readonly number[];
}

/** One answer is kept whole: larger ones are asked for in smaller portions by the caller, or refused. */
const mostAnswerBytes = 512 << 20;
const silenceMs = 300_000;
const attempts = 8;
const longestPauseMs = 15_000;

export class Peer {
  private readonly base: URL;
  private readonly agent: HttpAgent | HttpsAgent;
  private hasAnswered = false;

  constructor(private readonly options: PeerOptions) {
    try {
      this.base = new URL(options.url);
    } catch (cause) {
      throw new Fault('malformed', 'migrate.address', `${options.url} is no address of a server`, {
        hint: 'Write it as https://puppetdb.example.com:8081.',
        cause,
      });
    }
    const settings = { keepAlive: true, maxSockets: options.connections };
    this.agent =
      this.base.protocol === 'https:' ? new HttpsAgent({ ...settings, ...options.tls }) : new HttpAgent(settings);
  }

  /** A 200, or one of the answers that `accepts` names. Trouble that may pass (no connection, 429, 502, 503, 504) is met by asking again. */
  async ask(asking: Asking): Promise<Answer> {
    const { name, signal, onRetry } = this.options;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      let problem: string;
      let pauseMs = Math.min(longestPauseMs, 250 * 2 ** attempt);
      try {
        const answer = await this.exchange(asking);
        this.hasAnswered = true;
        if (answer.status === 200 || asking.accepts?.includes(answer.status)) return answer;
        problem = `answers ${answer.status}: ${excerpt(answer.body.toString('utf8', 0, 2_000))}`;
        if (![429, 502, 503, 504].includes(answer.status)) throw this.refused(problem, asking);
        const wanted = Number(answer.headers['retry-after'] ?? NaN);
        if (wanted > 0) pauseMs = Math.min(longestPauseMs, wanted * 1_000);
      } catch (error) {
        if (error instanceof Fault || signal.aborted) throw error;
        problem = `does not answer: ${(error as Error).message}`;
        // A wrong address or certificate is told at once.
        if (!this.hasAnswered || attempt >= attempts) throw this.unreachable(problem, error);
      }
      if (attempt >= attempts) throw this.refused(problem, asking);
      onRetry?.(`${name} ${problem}; asking again in ${pauseMs / 1000} s`);
      await delay(pauseMs, undefined, { signal });
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private refused(problem: string, { path }: Asking): Fault {
    return new Fault('broken', 'migrate.refused', `${this.options.name} (${this.base.host}) ${problem}`, {
      details: { path: excerpt(path) },
    });
  }

  private unreachable(problem: string, cause: unknown): Fault {
    return new Fault('busy', 'migrate.unreachable', `${this.options.name} (${this.base.host}) ${problem}`, {
      hint: 'Check its address, and for HTTPS the certificate, the key and the authority. Run the same command again: it goes on where it was.',
      cause,
    });
  }

  private exchange({ method, path, headers, body }: Asking): Promise<Answer> {
    const { base, agent } = this;
    const { signal, headers: own } = this.options;
    const options = {
      method,
      agent,
      signal,
      headers: { accept: 'application/json', 'accept-encoding': 'gzip', ...own, ...headers },
      timeout: silenceMs,
    };
    const url = base.href.replace(/\/$/, '') + path;
    return new Promise((resolve, reject) => {
      const request = base.protocol === 'https:' ? httpsRequest(url, options) : httpRequest(url, options);
      request.on('response', (response) => {
        const isGzip = response.headers['content-encoding'] === 'gzip';
        const stream = isGzip ? response.pipe(createGunzip()) : response;
        const chunks: Buffer[] = [];
        let length = 0;
        stream.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          length += chunk.length;
          if (length > mostAnswerBytes) request.destroy(new Error(`an answer has more than ${mostAnswerBytes} bytes`));
        });
        stream.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
        );
        stream.on('error', reject);
        response.on('error', reject);
        response.on('aborted', () => reject(new Error('the answer was cut off')));
      });
      request.on('timeout', () => request.destroy(new Error(`nothing came for ${silenceMs / 1000} s`)));
      request.on('error', reject);
      request.end(body);
    });
  }
}
