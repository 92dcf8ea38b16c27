/**
 * Opens the service's HTTP side. Takes a Nest module and where to listen; gives a running server. Bodies reach handlers
 * as the bytes that came; answers are compressed for those who take it; every error becomes an answer in one filter.
 */
import { createServer as createHttp, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttps, type ServerOptions as TlsServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from './fastify';
import { textType } from './fault-answer';
import { FaultFilter, type FaultExplanation, type FaultReport } from './fault.filter';
import { gzipAnswers } from './gzip-answers';

/** One place to listen at. Port 0 takes a free one. `tls` as node:https takes it (key, cert, ca, crl, requestCert …). */
export interface Listener {
  readonly host: string;
  readonly port: number;
  readonly tls?: TlsServerOptions;
}

export interface HttpOptions {
  readonly listeners: readonly Listener[];
  /** Largest request body, in bytes as they arrive; larger ones are answered 413. */
  readonly maxBodyBytes: number;
  /** Told about unexpected errors; they are answered 500 without particulars. */
  readonly report?: FaultReport;
  /** Asked first about errors that are not the client's: what it gives is answered instead, and nothing is reported. */
  readonly explain?: FaultExplanation;
  readonly logger?: LoggerService | false;
  /** How long `close` waits for answers under way before it breaks their connections. Milliseconds; default 10,000. */
  readonly graceMs?: number;
}

/** Queries come as URLs too; node's own limit of 16 kB would cut what clients of this interface send. */
const maxHeaderSize = 256 * 1024;
const keepAliveTimeoutMs = 75_000;

/** A running server; `close` lets answers under way finish, then shuts the module down. */
export class HttpServer {
  constructor(
    readonly app: NestFastifyApplication,
    /** One for each listener, in their order, as `http://127.0.0.1:8080`. */
    readonly urls: readonly string[],
    private readonly servers: readonly Server[],
    private readonly graceMs: number,
  ) {}

  async close(): Promise<void> {
    const closed = this.servers.map((server) => new Promise((resolve) => server.close(resolve)));
    // A connection that was busy when closing began stays open for further requests once it is idle.
    const sweep = setInterval(() => this.servers.forEach((server) => server.closeIdleConnections()), 50);
    const late = setTimeout(() => this.servers.forEach((server) => server.closeAllConnections()), this.graceMs);
    await Promise.all(closed);
    clearInterval(sweep);
    clearTimeout(late);
    await this.app.close();
  }
}

/** Rejects with the system's error (`EADDRINUSE` …) when a listener cannot be opened; nothing stays open then. */
export async function openHttp(module: Type | DynamicModule, options: HttpOptions): Promise<HttpServer> {
  const adapter = new FastifyAdapter({
    bodyLimit: options.maxBodyBytes,
    routerOptions: { querystringParser: () => ({}) },
    requestIdHeader: false,
    // What cannot even be routed: a URL with a broken percent sign.
    frameworkErrors: (error: FastifyError, _request: FastifyRequest, reply: FastifyReply) => {
      void reply
        .status(error.statusCode ?? 400)
        .header('content-type', textType)
        .send(error.message);
    },
  });
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: options.logger ?? false,
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  rawBodies(fastify, options.maxBodyBytes);
  gzipAnswers(fastify);
  app.useGlobalFilters(new FaultFilter(options.report ?? (() => undefined), options.explain));
  await app.init();
  await fastify.ready();
  const handle: RequestListener = (request, response) => fastify.routing(request, response);
  const servers: Server[] = [];
  try {
    const urls: string[] = [];
    for (const listener of options.listeners) {
      const server = serverFor(listener, handle);
      servers.push(server);
      urls.push(await listen(server, listener));
    }
    return new HttpServer(app, urls, servers, options.graceMs ?? 10_000);
  } catch (error) {
    servers.forEach((server) => server.close());
    await app.close();
    throw error;
  }
}

/** No parsing by media type: a handler gets a Buffer. Bodies are read for GET too, which some submitters use. */
function rawBodies(fastify: FastifyInstance, bodyLimit: number): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body));
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
}

function serverFor(listener: Listener, handle: RequestListener): Server {
  const shared: ServerOptions = { maxHeaderSize, keepAliveTimeout: keepAliveTimeoutMs };
  return listener.tls === undefined ? createHttp(shared, handle) : createHttps({ ...shared, ...listener.tls }, handle);
}

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
