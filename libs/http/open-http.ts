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
import { admit } from './admission';
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

/**
 * An address on which the service listens. If `port` is 0, the system chooses a free port. Without `tls`, the
 * connections are unencrypted.
 */
export interface Listener {
  readonly host: string;
  readonly port: number;
  readonly tls?: ListenerTls;
}

export interface HttpOptions {
  readonly listeners: readonly Listener[];
  /** Largest size in bytes of a body before decompression. A larger body is answered 413. */
  readonly maxBodyBytes: number;
  readonly bodyLimits?: readonly BodyLimit[];
  /**
   * Routes whose handlers read the bodies of POST requests from `request.raw` as they arrive. The handlers must limit
   * these bodies, because the budget for bodies does not include them.
   */
  readonly streamedBodies?: readonly string[];
  readonly limits?: Limits;
  /** Time limits. If a value is absent, its default in docs/limits.md applies. */
  readonly arrival?: Partial<ArrivalTimes>;
  /**
   * Addresses of proxies. If a request comes from one of them, the service takes the client's address from the headers.
   */
  readonly trustedProxies?: readonly string[];
  /** Called with each unexpected error. The client gets the status 500 without details. */
  readonly report?: FaultReport;
  /**
   * Called with unexpected errors and with faults that clients have not caused. If this function returns a fault, the
   * client gets this fault, and `report` is not called.
   */
  readonly explain?: FaultExplanation;
  readonly hintFor?: PathHint;
  /**
   * Called with each request before its body is read. If this function throws a fault, the client gets it as the
   * answer.
   */
  readonly authorize?: (request: FastifyRequest) => void | Promise<void>;
  /** Whether clients can authenticate with a token. Over TLS, clients can also authenticate with a certificate. */
  readonly acceptsTokens?: boolean;
  readonly refused?: RefusedConnection;
  readonly logger?: LoggerService | false;
  readonly tracing?: Tracing;
  /** Called when an answer has ended, even if it is incomplete. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Returns a more exact name for the route of a request, or undefined to use the declared name. */
  readonly nameRoute?: (request: FastifyRequest) => string | undefined;
  /** How long `close` waits for answers before it closes their connections, in milliseconds. The default is 10,000. */
  readonly graceMs?: number;
}

export interface BodyLimit {
  /** Beginning of the paths to which the limit applies, such as `/pdb/query/v4`. */
  readonly under: string;
  readonly maxBytes: number;
  readonly limit: LimitName;
}

/**
 * Time limits in milliseconds. `headersMs` is the limit from the first byte of a request to the end of its headers, and
 * `wholeMs` is the limit to the end of its body.
 */
interface ArrivalTimes {
  /**
   * How long the service waits for a client that reads nothing of its answer. Applies only to clients without a
   * credential, and only if clients can have one. For all other clients, the limit is `wholeMs`.
   */
  readonly unreadMs: number;
  readonly headersMs: number;
  readonly wholeMs: number;
  readonly checkMs: number;
}

/** `wholeMs` is long enough for 20 MB over a connection with half a megabit per second. */
const arrivalTimes: ArrivalTimes = { headersMs: 30_000, unreadMs: 30_000, wholeMs: 300_000, checkMs: 5_000 };
/**
 * The budget is at least as large as this number of bodies of the largest size, even if its setting is lower. One
 * client address may use half of the budget. In a smaller budget, this half would be too small for one compressed body
 * of the largest size and its decompressed bytes.
 */
const leastBodies = 4;
const keepAliveTimeoutMs = 75_000;
/**
 * Largest number of headers that Node.js reads. It drops the others. Clients of this interface send at most a few
 * dozen.
 */
const maxHeadersCount = 1_000;

export class HttpServer {
  constructor(
    readonly app: NestFastifyApplication,
    readonly urls: readonly string[],
    private readonly servers: readonly Server[],
    private readonly http2: readonly Http2Connections[],
    private readonly graceMs: number,
    private readonly bodies: BodyBudget,
  ) {}

  get heldBodyBytes(): number {
    return this.bodies.heldBytes;
  }

  async close(): Promise<void> {
    const closed = this.servers.map((server) => new Promise((resolve) => server.close(resolve)));
    // Closes the connections that have become idle since closing began. Otherwise they would stay open.
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

/**
 * If a listener cannot be opened, closes the other listeners and rejects with the system's error, such as `EADDRINUSE`.
 */
export async function openHttp(module: Type | DynamicModule, options: HttpOptions): Promise<HttpServer> {
  const adapter = new FastifyAdapter({
    bodyLimit: options.maxBodyBytes,
    routerOptions: { querystringParser: () => ({}) },
    requestIdHeader: false,
    // Replaces Fastify's support for schemas, which would load about 300 modules. No route has a schema.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Called for requests that cannot be routed, for example because the URL has an invalid percent sign.
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
  // This must be the first hook, so that the route has a name before another hook can refuse the request.
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
    if (options.authorize !== undefined) await admit(request, options.authorize);
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
 * Throws `http.request` if a request has two Host headers, because a proxy and the service could use different ones.
 */
function requireOneHost({ raw: { rawHeaders } }: FastifyRequest): void {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host');
  if (hosts.length > 1)
    throw new Fault('malformed', 'http.request', 'The request has more than one Host header.', {
      details: { form: 'text' },
    });
}

/**
 * Passes each body to the handlers as a Buffer, whatever its media type is. Also reads the body of a GET, because some
 * clients send one.
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
    // No limit here, because ArrivalMonitor limits the time of each request.
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
    const onRefused = refused ?? (() => undefined);
    guardConnections(server as HttpsServer, tls, connections, onRefused);
    paceHandshakes(server as HttpsServer, new HandshakePace(limits.handshakes), limits, onRefused);
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
