/**
 * Opens the service's HTTP side. Takes a Nest module and where to listen; gives a running server. Bodies reach handlers
 * as the bytes that came; answers are compressed for those who take it; every error becomes an answer in one filter.
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
import { ArrivalWatch } from './arrival-watch';
import { BodyBudget } from './body-budget';
import { openReservation } from './body-reservation';
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

/** One place to listen at. Port 0 picks a free one. Without `tls` it speaks clear text. */
export interface Listener {
  readonly host: string;
  readonly port: number;
  readonly tls?: ListenerTls;
}

export interface HttpOptions {
  readonly listeners: readonly Listener[];
  /** Largest request body, in bytes as they arrive; larger ones are answered 413. */
  readonly maxBodyBytes: number;
  /** Routes with a limit of their own. */
  readonly bodyLimits?: readonly BodyLimit[];
  /**
   * Routes whose handlers read the bodies of POST requests themselves, as they arrive, from `request.raw`. These bodies take
   * no part of the budget, and have no limit and no deadline but those of their handlers.
   */
  readonly streamedBodies?: readonly string[];
  /** `headerBytes`, and the values that refusals name. The defaults where absent. */
  readonly limits?: Limits;
  /** How long a request may take to arrive. The defaults are those of docs/limits.md. */
  readonly arrival?: Partial<ArrivalTimes>;
  /** The proxies whose headers tell the addresses of clients: addresses and networks. None by default. */
  readonly trustedProxies?: readonly string[];
  /** Told about unexpected errors; they are answered 500 without particulars. */
  readonly report?: FaultReport;
  /** Asked first about errors that are not the client's: what it gives is answered instead, and nothing is reported. */
  readonly explain?: FaultExplanation;
  /** What an answer 404 says besides; nothing where absent. */
  readonly hintFor?: PathHint;
  /** Called with each request before its body is read; what it throws is answered. */
  readonly authorize?: (request: FastifyRequest) => void | Promise<void>;
  /** Clients can authenticate with a token. Over TLS, they can also do so with a certificate. */
  readonly acceptsTokens?: boolean;
  /** Told about clients that are not let in by a listener with TLS. */
  readonly refused?: RefusedConnection;
  readonly logger?: LoggerService | false;
  /** Where the spans of requests begin; none where absent. */
  readonly tracing?: Tracing;
  /** Called when an answer is over, whether the client took all of it or not. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Names the route of a request more exactly than its declared route does; undefined where it does not. */
  readonly nameRoute?: (request: FastifyRequest) => string | undefined;
  /** How long `close` waits for answers under way before it breaks their connections. Milliseconds; default 10,000. */
  readonly graceMs?: number;
}

/** How much of a body is read at the routes below a path. */
export interface BodyLimit {
  /** `/pdb/query/v4` */
  readonly under: string;
  readonly maxBytes: number;
  /** What a refusal names. */
  readonly limit: LimitName;
}

/** Milliseconds from the first byte of a request to the end of its headers, and to the end of its body. */
interface ArrivalTimes {
  /**
   * How long an answer may wait for a client without a credential that reads nothing of it. If the client has a credential,
   * or if no client can have one, the answer waits for `wholeMs`.
   */
  readonly unreadMs: number;
  readonly headersMs: number;
  readonly wholeMs: number;
  /** How often connections are looked at for that. */
  readonly checkMs: number;
}

/** Slow enough for 20 MB over a line of half a megabit a second. */
const arrivalTimes: ArrivalTimes = { headersMs: 30_000, unreadMs: 30_000, wholeMs: 300_000, checkMs: 5_000 };
/**
 * The budget has room for at least this many of the largest bodies, even if the setting is lower. Otherwise such a body
 * could never be read.
 */
const leastBodies = 4;
const keepAliveTimeoutMs = 75_000;
/** Node drops headers beyond this number; no client of this interface sends more than a few dozen. */
const maxHeadersCount = 1_000;

/** A running server; `close` lets answers under way finish, then shuts the module down. */
export class HttpServer {
  constructor(
    readonly app: NestFastifyApplication,
    /** One for each listener, in their order, as `http://127.0.0.1:8080`. */
    readonly urls: readonly string[],
    private readonly servers: readonly Server[],
    private readonly http2: readonly Http2Connections[],
    private readonly graceMs: number,
    private readonly bodies: BodyBudget,
  ) {}

  /** Bytes of request bodies that are held in memory at the moment. */
  get heldBodyBytes(): number {
    return this.bodies.heldBytes;
  }

  async close(): Promise<void> {
    const closed = this.servers.map((server) => new Promise((resolve) => server.close(resolve)));
    // A connection that was busy when closing began stays open for further requests once it is idle.
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

/** Rejects with the system's error (`EADDRINUSE` …) when a listener cannot be opened; nothing stays open then. */
export async function openHttp(module: Type | DynamicModule, options: HttpOptions): Promise<HttpServer> {
  const adapter = new FastifyAdapter({
    bodyLimit: options.maxBodyBytes,
    routerOptions: { querystringParser: () => ({}) },
    requestIdHeader: false,
    // No route has a schema. By default, Fastify would load about 300 modules for them at the start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // What cannot even be routed: a URL with a broken percent sign.
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
  const bodies = new BodyBudget(Math.max(limits.heldBodyBytes, leastBodies * options.maxBodyBytes));
  // The first hook: whatever refuses a request, its route has a name by then.
  const { nameRoute } = options;
  fastify.addHook('onRequest', async (request) => {
    setRoute(request, nameRoute?.(request));
    traceRoute(request);
  });
  const arrival = { ...arrivalTimes, ...options.arrival };
  const arrivals = new ArrivalWatch(arrival);
  const streamed = new Set(options.streamedBodies);
  const isStreamed = ({ method, routeOptions, raw }: FastifyRequest): boolean => {
    const found = method === 'POST' && streamed.has(routeOptions.url ?? '');
    if (found) arrivals.exempt(raw);
    return found;
  };
  rawBodies(fastify, options.bodyLimits ?? [], limits, bodies, isStreamed);
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
    // The router ignores the first character of a target, so `*` would reach the route `/`.
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

/** A proxy in front of the service may believe one of two names, and the service the other one. Fault `http.request`. */
function requireOneHost({ raw: { rawHeaders } }: FastifyRequest): void {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  if (hosts.length > 1)
    throw new Fault('malformed', 'http.request', 'The request has more than one Host header.', {
      details: { form: 'text' },
    });
}

/**
 * No parsing by media type: a handler gets a Buffer. Bodies are read for GET too, which some submitters use. What is
 * over the limit of its route is refused by its declared length, or as soon as it has arrived.
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
        : await readBody(stream, most, openReservation(budget, request, replies.get(request)!));
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
  /** Where those of this server are added. */
  readonly http2: Http2Connections[];
  readonly arrivals: ArrivalWatch;
  readonly refused: RefusedConnection | undefined;
}

function serverFor({ tls }: Listener, handle: RequestListener, parts: ServerParts): Server {
  const { open, unread, proxies, limits, arrival, arrivals, http2, refused } = parts;
  const shared: ServerOptions = {
    maxHeaderSize: limits.headerBytes,
    keepAliveTimeout: keepAliveTimeoutMs,
    headersTimeout: arrival.headersMs,
    // Whole requests are the business of ArrivalWatch.
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
