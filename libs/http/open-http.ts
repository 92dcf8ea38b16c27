/**
 * Opens the HTTP server for a NestJS module. Handlers get bodies as the bytes that arrived. Answers are compressed for
 * clients that accept it. One filter converts every error to an answer.
 */
import { createServer as createHttp, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttps, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { excerpt, Fault } from '#fault';
import { defaultLimits, type LimitName, type Limits, overLimit } from '#limits';
import { noTracing, type Tracing } from '#observe';
import { type Answer, answerOf } from './answer';
import { ArrivalMonitor } from './arrival-monitor';
import { BodyBudget } from './body-budget';
import { openBodyMemory } from './body-memory';
import { answerClientErrors } from './client-errors';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from './fastify';
import { codeHeader, textType } from './fault-answer';
import { FaultFilter, type FaultExplanation, type FaultReport, type PathHint } from './fault.filter';
import { gzipAnswers } from './gzip-answers';
import { HandshakePace, paceHandshakes } from './handshake-pace';
import { Http2Connections, type Http2Handler, type Http2Options } from './http2/http2-connections';
import { OpenConnections } from './open-connections';
import { OpenRequests } from './open-requests';
import { identified, traceRoute } from './request-identity';
import { readBody } from './read-body';
import { tooLarge } from './request-body';
import { setRoute } from './route-name';
import { guardConnections, type ListenerTls, protocols, type RefusedConnection } from './secure-connections';
import { addSecurityHeaders, securityHeaders } from './security-headers';
import { TrustedProxies } from './trusted-proxies';
import { UnreadAnswers } from './unread-answers';

/** An address to listen at. Port 0 chooses a free port. Without `tls`, it uses unencrypted HTTP. */
export interface Listener {
  readonly host: string;
  readonly port: number;
  readonly tls?: ListenerTls;
}

export interface HttpOptions {
  readonly listeners: readonly Listener[];
  /** Limit of a request body, in bytes as they arrive; larger ones get 413. */
  readonly maxBodyBytes: number;
  /** Routes with limits of their own. */
  readonly bodyLimits?: readonly BodyLimit[];
  /**
   * Routes whose handlers read the bodies of POST requests from `request.raw` as they arrive. These bodies are not in
   * the budget, and only their handlers limit them.
   */
  readonly streamedBodies?: readonly string[];
  /** `headerBytes`, and the values that refusals name. Default: the default limits. */
  readonly limits?: Limits;
  /** Longest times for a request to arrive. Default: those of docs/limits.md. */
  readonly arrival?: Partial<ArrivalTimes>;
  /** Addresses and networks of the proxies whose headers name clients. None by default. */
  readonly trustedProxies?: readonly string[];
  /** Called with unexpected errors. They get 500 without details. */
  readonly report?: FaultReport;
  /**
   * Called first with errors that are not the client's. If it returns a fault, that is answered, and nothing is
   * reported.
   */
  readonly explain?: FaultExplanation;
  /** Returns a hint for an answer 404. */
  readonly hintFor?: PathHint;
  /** Called with each request before its body is read. Its errors are answered. */
  readonly authorize?: (request: FastifyRequest) => void | Promise<void>;
  /** Clients can authenticate with a token. Over TLS, they can also do so with a certificate. */
  readonly acceptsTokens?: boolean;
  /** Called with the clients that a listener with TLS refuses. */
  readonly refused?: RefusedConnection;
  readonly logger?: LoggerService | false;
  /** Creates the spans of requests; none if absent. */
  readonly tracing?: Tracing;
  /** Called when an answer is over, whether it is complete or not. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Returns a more exact name for the route of a request, or undefined. */
  readonly nameRoute?: (request: FastifyRequest) => string | undefined;
  /** How long `close` waits for answers before it closes their connections. Milliseconds; default 10,000. */
  readonly graceMs?: number;
}

/** Limit of the body for the routes below a path. */
export interface BodyLimit {
  /** `/pdb/query/v4` */
  readonly under: string;
  readonly maxBytes: number;
  /** The limit that a refusal names. */
  readonly limit: LimitName;
}

/**
 * Longest times in milliseconds: from the first byte of a request to the end of its headers, and to the end of its body.
 */
interface ArrivalTimes {
  /**
   * How long an answer may wait for a client without a credential that reads nothing of it. For other clients, and if
   * clients cannot have a credential, it is `wholeMs`.
   */
  readonly unreadMs: number;
  readonly headersMs: number;
  readonly wholeMs: number;
  /** Interval of this check. */
  readonly checkMs: number;
}

/** Slow enough for 20 MB over a connection with half a megabit per second. */
const arrivalTimes: ArrivalTimes = { headersMs: 30_000, unreadMs: 30_000, wholeMs: 300_000, checkMs: 5_000 };
/**
 * The budget has room for at least this many of the largest bodies, even if the setting is lower. Otherwise a client address,
 * which may take half of the budget, could never send such a body with compression.
 */
const leastBodies = 4;
const keepAliveTimeoutMs = 75_000;
/** Node.js drops headers beyond this number. No client of this interface sends more than a few dozen. */
const maxHeadersCount = 1_000;

/** A running server. `close` lets answers finish, and then shuts the module down. */
export class HttpServer {
  constructor(
    readonly app: NestFastifyApplication,
    /** URL of each listener, such as `http://127.0.0.1:8080`. */
    readonly urls: readonly string[],
    private readonly servers: readonly Server[],
    private readonly http2: readonly Http2Connections[],
    private readonly graceMs: number,
    private readonly bodies: BodyBudget,
  ) {}

  /** Bytes of request bodies in memory. */
  get heldBodyBytes(): number {
    return this.bodies.heldBytes;
  }

  async close(): Promise<void> {
    const closed = this.servers.map((server) => new Promise((resolve) => server.close(resolve)));
    // A connection that was busy when closing began would stay open when it becomes idle.
    const sweep = setInterval(() => this.servers.forEach((server) => server.closeIdleConnections()), 50);
    const late = setTimeout(() => {
      this.servers.forEach((server) => server.closeAllConnections());
      this.http2.forEach((connections) => connections.destroy());
    }, this.graceMs);
    this.http2.forEach((connections) => connections.close());
    await Promise.all(closed);
    clearInterval(sweep);
    clearTimeout(late);
    await this.app.close();
  }
}

const noSchemas = (): never => {
  throw new Error('routes have no schemas: the readers of requests check them');
};

/** Rejects with the system's error (`EADDRINUSE` …) if a listener cannot be opened; then closes the others. */
export async function openHttp(module: Type | DynamicModule, options: HttpOptions): Promise<HttpServer> {
  const adapter = new FastifyAdapter({
    bodyLimit: options.maxBodyBytes,
    routerOptions: { querystringParser: () => ({}) },
    requestIdHeader: false,
    // No route has a schema. By default, Fastify would load about 300 modules for schemas.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // For requests that cannot be routed: a URL with an invalid percent sign.
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      void reply
        .status(error.statusCode ?? 400)
        .headers({ ...codeHeader('http.request'), ...securityHeaders })
        .header('content-type', textType)
        .send(excerpt(error.message));
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: options.logger ?? false,
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const limits = options.limits ?? defaultLimits;
  const bodyLimits = options.bodyLimits ?? [];
  const largestBody = Math.max(options.maxBodyBytes, ...bodyLimits.map(({ maxBytes }) => maxBytes));
  const bodies = new BodyBudget(Math.max(limits.heldBodyBytes, leastBodies * largestBody));
  // The first hook, so that the route has a name before another hook can refuse the request.
  const { nameRoute } = options;
  fastify.addHook('onRequest', async (request) => {
    setRoute(request, nameRoute?.(request));
    traceRoute(request);
  });
  const arrival = { ...arrivalTimes, ...options.arrival };
  const arrivals = new ArrivalMonitor(arrival);
  const streamed = new Set(options.streamedBodies);
  const isStreamed = ({ method, routeOptions, raw }: FastifyRequest): boolean => {
    const found = method === 'POST' && streamed.has(routeOptions.url ?? '');
    if (found) arrivals.exempt(raw);
    return found;
  };
  rawBodies(fastify, bodyLimits, limits, bodies, isStreamed);
  const { onAnswer } = options;
  if (onAnswer !== undefined)
    fastify.addHook('onResponse', async (request, reply) => onAnswer(answerOf(request, reply)));
  gzipAnswers(fastify);
  addSecurityHeaders(
    fastify,
    options.listeners.every(({ tls }) => tls !== undefined),
  );
  const knowsClients = options.acceptsTokens === true || options.listeners.some(({ tls }) => tls !== undefined);
  const unread = new UnreadAnswers({
    knownMs: arrival.wholeMs,
    unknownMs: knowsClients ? arrival.unreadMs : arrival.wholeMs,
  });
  fastify.addHook('onRequest', async (request) => {
    requireOneHost(request);
    await options.authorize?.(request);
    unread.admit(request);
  });
  app.useGlobalFilters(new FaultFilter(options.report ?? (() => undefined), options.explain, options.hintFor));
  const route: RequestListener = (request, response) => {
    // The router ignores the first character of a target, so `*` would match the route `/`.
    if (request.url === '*') request.url = '/*';
    fastify.routing(request, response);
  };
  const open = new OpenRequests();
  const handle = identified(route, options.tracing ?? noTracing);
  await app.init();
  await fastify.ready();
  const proxies = new TrustedProxies(options.trustedProxies ?? []);
  const connections = new OpenConnections(limits, proxies);
  const servers: Server[] = [];
  const http2: Http2Connections[] = [];
  try {
    const urls: string[] = [];
    for (const listener of options.listeners) {
      const server = serverFor(listener, handle, {
        open,
        unread,
        proxies,
        limits,
        arrival,
        arrivals,
        http2,
        refused: options.refused,
      });
      connections.watch(server, listener.tls === undefined);
      servers.push(server);
      urls.push(await listen(server, listener));
    }
    return new HttpServer(app, urls, servers, http2, options.graceMs ?? 10_000, bodies);
  } catch (error) {
    servers.forEach((server) => server.close());
    await app.close();
    throw error;
  }
}

/**
 * Refuses a request with two hosts, because a proxy could use one of them and the service the other. Fault
 * `http.request`.
 */
function requireOneHost({ raw: { rawHeaders } }: FastifyRequest): void {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  if (hosts.length > 1)
    throw new Fault('malformed', 'http.request', 'The request has more than one Host header.', {
      details: { form: 'text' },
    });
}

/**
 * Gives handlers a Buffer, without parsing by media type. Reads bodies of GET, too, which some clients send. Refuses a
 * body over the limit by its declared length, or when it has arrived.
 */
function rawBodies(
  fastify: FastifyInstance,
  bodyLimits: readonly BodyLimit[],
  limits: Limits,
  budget: BodyBudget,
  isStreamed: (request: FastifyRequest) => boolean,
): void {
  const limitOf = (url: string): BodyLimit | undefined => bodyLimits.find(({ under }) => url.startsWith(under));
  fastify.addHook('onRoute', (route) => {
    const own = limitOf(route.url);
    if (own !== undefined) route.bodyLimit = own.maxBytes;
  });
  const replies = new WeakMap<FastifyRequest, FastifyReply>();
  fastify.addHook('onRequest', async (request, reply) => void replies.set(request, reply));
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', async (request: FastifyRequest, stream: Readable) => {
    if (isStreamed(request)) return undefined;
    const most = request.routeOptions.bodyLimit;
    const declared = Number(request.headers['content-length'] ?? 0);
    const body =
      declared > most
        ? undefined
        : await readBody(stream, { most, memory: openBodyMemory(budget, request, replies.get(request)!) });
    if (body !== undefined) return body;
    const own = limitOf(request.routeOptions.url ?? '');
    throw own === undefined ? tooLarge(most) : overLimit(limits, own.limit);
  });
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
}

interface ServerParts {
  readonly open: OpenRequests;
  readonly unread: UnreadAnswers;
  readonly proxies: TrustedProxies;
  readonly limits: Limits;
  readonly arrival: ArrivalTimes;
  /** The new server is added to this list. */
  readonly http2: Http2Connections[];
  readonly arrivals: ArrivalMonitor;
  readonly refused: RefusedConnection | undefined;
}

function serverFor({ tls }: Listener, handle: RequestListener, parts: ServerParts): Server {
  const { open, unread, proxies, limits, arrival, arrivals, http2, refused } = parts;
  const shared: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: arrival.headersMs,
    // ArrivalMonitor limits the time of a whole request.
    requestTimeout: 0,
    connectionsCheckingInterval: arrival.checkMs,
  };
  const kept = open.kept((request, response) => {
    proxies.locate(request);
    handle(request, response);
  });
  const server =
    tls === undefined
      ? createHttp(shared)
      : createHttps({ ...shared, ...tls.options, ALPNProtocols: protocols, handshakeTimeout: arrival.headersMs });
  server.on('request', arrivals.watch(server, kept));
  if (tls !== undefined) {
    const connections = new Http2Connections(handle as unknown as Http2Handler, http2Options(parts));
    http2.push(connections);
    const tell = refused ?? (() => undefined);
    guardConnections(server as HttpsServer, tls, connections, tell);
    paceHandshakes(server as HttpsServer, new HandshakePace(limits.handshakes), limits, tell);
    tls.attach(server as HttpsServer);
  }
  server.maxHeadersCount = maxHeadersCount;
  unread.watch(server, open);
  answerClientErrors(server, open, limits);
  return server;
}

const http2Options = ({ limits, arrival, arrivals, proxies, unread }: ServerParts): Http2Options => ({
  limits,
  proxies,
  wholeMs: arrival.wholeMs,
  isExempt: (request) => arrivals.isExempt(request),
  mostHeaders: maxHeadersCount,
  times: { firstMs: arrival.headersMs, idleMs: keepAliveTimeoutMs, unread },
});

async function listen(server: Server, { host, port, tls }: Listener): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${address.port}`;
}
