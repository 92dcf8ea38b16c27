import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { Fault } from '#fault';
import { AddressShares, type Limits, limitTable, overLimit } from '#limits';
import { countedAddress } from '../client-address';
import { lastHeaders } from '../client-errors';
import { answerFault } from '../fault-answer';
import { Http2Answer } from './http2-answer';
import { clientHost, type TrustedProxies } from '../trusted-proxies';
import { type SessionTimes, watchSession } from './watch-session';

type Server = Http2Server<typeof IncomingMessage, typeof ServerResponse, typeof Http2ServerRequest, typeof Http2Answer>;
export type Http2Handler = (request: Http2ServerRequest, answer: Http2Answer) => void;

export interface Http2Options {
  readonly limits: Limits;
  readonly times: SessionTimes;
  /** Longest time for a whole request to arrive, in milliseconds. */
  readonly wholeMs: number;
  /** Returns whether `wholeMs` does not apply to the request, because its handler has a limit of its own. */
  readonly isExempt: (request: Http2ServerRequest) => boolean;
  readonly mostHeaders: number;
  readonly proxies: TrustedProxies;
}

/**
 * Largest number of concurrent requests on a connection. RFC 9113 advises against a lower number, because proxies send
 * the requests of many users over one connection.
 */
const mostStreams = 100;
/**
 * If an answer is sent before the whole request has arrived, the service reads and drops the rest of the body for this
 * many milliseconds. Otherwise the client might not read the answer.
 */
const droppedMs = 5_000;

export class Http2Connections {
  private readonly server: Server;
  private readonly sessions = new Map<Http2Session, TLSSocket>();
  /** Number of unanswered requests by client address. */
  private readonly requests = new AddressShares();
  private isClosing = false;

  constructor(
    private readonly handle: Http2Handler,
    private readonly options: Http2Options,
  ) {
    // This server never listens. `accept` passes connections to it.
    const server: Server = createServer({
      Http2ServerResponse: Http2Answer,
      settings: {
        maxConcurrentStreams: mostStreams,
        // Node.js aborts a request whose headers are larger than this limit. The service has a lower limit: a request
        // that exceeds only the lower limit gets an answer that names it.
        maxHeaderListSize: 2 * options.limits.headerBytes,
      },
      maxHeaderListPairs: options.mostHeaders,
    });
    this.server = server.on('request', (request, answer) => this.serve(request, answer));
  }

  accept(socket: TLSSocket): void {
    const opened = (session: Http2Session): void => {
      this.sessions.set(session, socket);
      socket.once('close', () => this.sessions.delete(session));
      watchSession(session, socket, this.options.times);
      if (this.isClosing) session.close();
    };
    this.server.once('session', opened);
    try {
      this.server.emit('connection', socket);
    } finally {
      this.server.off('session', opened);
    }
  }

  close(): void {
    this.isClosing = true;
    for (const session of this.sessions.keys()) session.close();
  }

  destroy(): void {
    for (const socket of this.sessions.values()) socket.destroy();
  }

  private serve(request: Http2ServerRequest, answer: Http2Answer): void {
    const { stream } = answer;
    const socket = stream.session === undefined ? undefined : this.sessions.get(stream.session);
    // Some versions of Node.js also report requests that the client has cancelled before the service read them.
    if (socket === undefined || stream.destroyed || stream.closed) return;
    // Stores the connection, because the property `socket` of the request loses the connection when the stream ends.
    Object.defineProperty(request, 'socket', { value: socket });
    request.on('error', () => undefined);
    const located = request as unknown as IncomingMessage;
    this.options.proxies.locate(located);
    if (!this.count(clientHost(located), stream)) {
      const text =
        `Too many requests are under way over HTTP/2: at most ${this.options.limits.connections} ` +
        `(${limitTable.connections.setting.key}), half of them from one client address. Try again in a moment.`;
      answer.writeHead(503, { ...lastHeaders({ code: 'http.connections', text }), 'retry-after': '5' }).end(text);
      return;
    }
    if (!stream.endAfterHeaders) this.boundBody(request, answer);
    const { limits } = this.options;
    const size = request.rawHeaders.reduce((sum, text) => sum + text.length, 0);
    if (size > limits.headerBytes) {
      const { body } = answerFault(overLimit(limits, 'headerBytes', size));
      answer.writeHead(431, lastHeaders({ code: 'http.limit', text: body })).end(body);
      return;
    }
    this.handle(request, answer);
  }

  /**
   * Counts a request of a client. Returns false if the client has too many requests. A request over HTTP/2 counts like
   * a connection, because over HTTP/1.1 it would need a connection.
   */
  private count(host: string, stream: ServerHttp2Stream): boolean {
    const address = countedAddress(host);
    if (!this.requests.fits(address, 1, this.options.limits.connections)) return false;
    this.requests.add(address, 1);
    stream.once('close', () => this.requests.add(address, -1));
    return true;
  }

  private boundBody(request: Http2ServerRequest, answer: Http2Answer): void {
    const { stream } = answer;
    // Fastify expects a body only if the request has this header, which HTTP/2 does not have.
    if (request.headers['content-length'] === undefined) request.headers['transfer-encoding'] = 'chunked';
    const late = setTimeout(() => {
      if (!this.options.isExempt(request)) request.destroy(slow());
    }, this.options.wholeMs).unref();
    stream.once('end', () => clearTimeout(late)).once('close', () => clearTimeout(late));
    stream.once('finish', () => {
      if (stream.readableEnded || stream.destroyed) return;
      const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), droppedMs).unref();
      stream.removeAllListeners('data');
      stream.on('data', () => undefined);
      stream.once('close', () => clearTimeout(timer));
    });
  }
}

const slow = (): Fault =>
  new Fault('timed-out', 'http.slow', 'The request took too long to arrive.', {
    details: { status: 408, form: 'text' },
  });
