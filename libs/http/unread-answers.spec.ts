import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller, Get, Module, Req } from '@nestjs/common';
import { until } from '../../test/support/until';
import { setCaller } from './caller';
import type { FastifyRequest } from './fastify';
import { type HttpOptions, type HttpServer, openHttp } from './open-http';

const unreadMs = 700;
const knownMs = 2_000;
const large = 'x'.repeat(1_000_000);
/** Number of requests whose answers together exceed the buffers of the operating system. */
const many = 20;
/** The sockets of the server. */
let connections: Set<Socket>;

@Controller()
class Probe {
  @Get('large')
  large(@Req() request: FastifyRequest): string {
    connections.add(request.raw.socket);
    return large;
  }

  @Get('late')
  async late(): Promise<string> {
    await delay(3 * unreadMs);
    return 'late';
  }
}

@Module({ controllers: [Probe] })
class ProbeModule {}

const open = (options: Partial<HttpOptions>): Promise<HttpServer> =>
  openHttp(ProbeModule, {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 1_000,
    arrival: { unreadMs, wholeMs: knownMs },
    ...options,
  });
let server: HttpServer;
beforeAll(async () => {
  server = await open({
    acceptsTokens: true,
    authorize: (request) => {
      if (request.headers.authorization !== undefined) setCaller(request, { secure: false, token: 'dashboard' });
    },
  });
});
afterAll(() => server.close());

const sockets: Socket[] = [];
beforeEach(() => (connections = new Set()));
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

/** Sends requests, but reads no answer. */
async function ask(path: string, headers = '', count = many, { urls } = server): Promise<Socket> {
  const socket = connect({ port: Number(new URL(urls[0]!).port), host: '127.0.0.1' });
  sockets.push(socket.pause().on('error', () => undefined));
  await once(socket, 'connect');
  socket.write(`GET /${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`.repeat(count));
  return socket;
}
const areOpen = (): number => [...connections].filter((socket) => !socket.destroyed).length;

test('the connections of clients without a credential end', async () => {
  await Promise.all(Array.from({ length: 20 }, () => ask('large')));
  await until(() => connections.size === 20);
  await until(() => areOpen() === 0);
});

test('a client with a credential has more time', async () => {
  const start = performance.now();
  await Promise.all([ask('large'), ask('large', 'authorization: Bearer x\r\n')]);
  await until(() => connections.size === 2);
  await until(() => areOpen() === 1);
  await until(() => areOpen() === 0);
  expect(performance.now() - start).toBeGreaterThan(knownMs);
});

test('each client has more time if the service accepts no credentials', async () => {
  const openToAll = await open({});
  const start = performance.now();
  await ask('large', '', many, openToAll);
  await until(() => connections.size === 1);
  await until(() => areOpen() === 0);
  const ms = performance.now() - start;
  await openToAll.close();
  expect(ms).toBeGreaterThan(knownMs);
});

test('a connection without a request ends', async () => {
  const socket = await ask('large', '', 0);
  socket.resume();
  await until(() => socket.closed);
});

test('a client that reads slowly gets all answers', async () => {
  const socket = await ask('large');
  let bytes = 0;
  socket.on('data', (piece: Buffer) => {
    bytes += piece.length;
    // Reading takes about three seconds.
    socket.pause();
    setTimeout(() => socket.resume(), 8);
  });
  socket.resume();
  await until(() => bytes > many * large.length);
});

test('a client may wait for an answer, and keep its connection', async () => {
  const socket = await ask('late', '', 1);
  let text = '';
  socket
    .setEncoding('latin1')
    .on('data', (piece: string) => (text += piece))
    .resume();
  await until(() => text.endsWith('late'));
  await delay(2 * unreadMs);
  socket.write('GET /late HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => text.split('\r\n\r\nlate').length === 3);
});
