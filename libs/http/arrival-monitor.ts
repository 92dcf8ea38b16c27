import type { IncomingMessage, RequestListener, Server } from 'node:http';

export interface ArrivalLimit {
  /** Longest time in milliseconds from the end of the headers to the end of the body. */
  readonly wholeMs: number;
  readonly checkMs: number;
}

/**
 * Ends requests whose bodies take too long to arrive. The time limit of Node.js cannot be used, because it applies to
 * all requests, and routes that stream their bodies need other limits.
 */
export class ArrivalMonitor {
  private readonly arriving = new Map<IncomingMessage, number>();
  private readonly exempted = new WeakSet<object>();
  private readonly servers = new WeakMap<IncomingMessage, Server>();

  constructor(private readonly limit: ArrivalLimit) {}

  /** Removes the time limit for a request whose handler has a limit of its own. */
  exempt(request: IncomingMessage): void {
    this.exempted.add(request);
    this.arriving.delete(request);
  }

  isExempt(request: object): boolean {
    return this.exempted.has(request);
  }

  watch(server: Server, handle: RequestListener): RequestListener {
    const sweep = setInterval(() => this.sweep(), this.limit.checkMs).unref();
    server.once('close', () => clearInterval(sweep));
    return (request, response) => {
      if (!request.complete) {
        this.arriving.set(request, performance.now());
        this.servers.set(request, server);
        response.once('close', () => this.arriving.delete(request));
      }
      handle(request, response);
    };
  }

  private sweep(): void {
    const latest = performance.now() - this.limit.wholeMs;
    for (const [request, since] of this.arriving) {
      if (!request.complete && since > latest) continue;
      this.arriving.delete(request);
      if (request.complete) continue;
      const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
      this.servers.get(request)?.emit('clientError', error, request.socket);
    }
  }
}
