/** Answers are passed on as bytes, because parsing and rewriting a document could change the document. */
import { setTimeout as delay } from 'node:timers/promises';
import { excerpt, Fault, retryDelay } from '#fault';
import { type Answer, HttpConnection } from '#http-client';

export interface PeerOptions {
  /** Address such as `https://puppetdb.example.com:8081`. It can have a path before `/pdb`. */
  readonly url: string;
  /** Name of the server in messages: `the source` or `the target`. */
  readonly name: string;
  /** Content of PEM files. */
  readonly tls?: { readonly cert?: Buffer; readonly key?: Buffer; readonly ca?: Buffer };
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly signal: AbortSignal;
  readonly onRetry?: (text: string) => void;
}

interface PeerRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Statuses, besides 200, for which `ask` returns the answer. */
  readonly accepts?: readonly number[];
}

/** Answers are kept in memory, so larger answers are refused. Callers request small portions. */
const mostBytes = 512 << 20;
const silenceMs = 300_000;
const attempts = 8;
const longestPauseMs = 15_000;

export class Peer {
  private readonly connection: HttpConnection;
  private hasAnswered = false;

  constructor(private readonly options: PeerOptions) {
    try {
      this.connection = new HttpConnection(options.url, { connections: options.connections, silenceMs, mostBytes });
    } catch (cause) {
      throw new Fault('malformed', 'migrate.address', `${options.url} is no address of a server`, {
        hint: 'Write it as https://puppetdb.example.com:8081.',
        cause,
      });
    }
  }

  /**
   * Returns the answer if its status is 200 or in `accepts`. Retries transient errors: no connection, and the statuses
   * 429, 502, 503 and 504.
   */
  async ask(request: PeerRequest): Promise<Answer> {
    const { name, signal, onRetry } = this.options;
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      let problem: string;
      let pauseMs = retryDelay(attempt, { firstMs: 500, longestMs: longestPauseMs });
      try {
        const { method, path, headers, body } = request;
        const answer = await this.connection.exchange({
          ...{ method, path, body, signal, tls: this.options.tls },
          headers: { accept: 'application/json', 'accept-encoding': 'gzip', ...this.options.headers, ...headers },
        });
        this.hasAnswered = true;
        if (answer.status === 200 || request.accepts?.includes(answer.status)) return answer;
        problem = `answers ${answer.status}: ${excerpt(answer.body.toString('utf8', 0, 2_000))}`;
        if (![429, 502, 503, 504].includes(answer.status)) throw this.refused(problem, request);
        const wanted = Number(answer.headers['retry-after'] ?? NaN);
        if (wanted > 0) pauseMs = Math.min(longestPauseMs, wanted * 1_000);
      } catch (error) {
        if (error instanceof Fault || signal.aborted) throw error;
        problem = `does not answer: ${(error as Error).message}`;
        // Retrying is useless before the first answer, because the address or the certificate is probably wrong.
        if (!this.hasAnswered || attempt >= attempts) throw this.unreachable(problem, error);
      }
      if (attempt >= attempts) throw this.refused(problem, request);
      onRetry?.(`${name} ${problem}; asking again in ${pauseMs / 1000} s`);
      await delay(pauseMs, undefined, { signal });
    }
  }

  close(): void {
    this.connection.close();
  }

  private refused(problem: string, { path }: PeerRequest): Fault {
    return new Fault(
      'broken',
      'migrate.refused',
      `${this.options.name} (${new URL(this.options.url).host}) ${problem}`,
      {
        details: { path: excerpt(path) },
      },
    );
  }

  private unreachable(problem: string, cause: unknown): Fault {
    return new Fault(
      'busy',
      'migrate.unreachable',
      `${this.options.name} (${new URL(this.options.url).host}) ${problem}`,
      {
        hint: 'Check its address, and for HTTPS the certificate, the key and the authority. Run the same command again to continue the copy.',
        cause,
      },
    );
  }
}
