import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { All, Controller, Get, Module, Req, Res } from '@nestjs/common';
import { defaultLimits, overLimit } from '#limits';
import { Authority } from '../../test/support/certificates';
import type { FastifyReply, FastifyRequest } from './fastify';
import { type HttpOptions, openHttp, type HttpServer } from './open-http';
import { requestBody } from './request-body';
import { until } from '../../test/support/until';

const limits = { ...defaultLimits, headerBytes: 20_000, queryBodyBytes: 100_000 };
let held: (() => void)[] = [];
let running = 0;

@Controller()
class Probe {
  @All('query')
  async query(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const refuse = (found?: number) => overLimit(limits, 'queryBodyBytes', found);
    await reply.send(String((await requestBody(request, limits.queryBodyBytes, refuse)).length));
  }

  @All('other')
  async other(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await reply.send(String((await requestBody(request, 30_000_000)).length));
  }

  @Get('hold')
  async hold(): Promise<string> {
    running++;
    await new Promise<void>((resolve) => held.push(resolve));
    return 'held';
  }
}

@Module({ controllers: [Probe] })
class ProbeModule {}

let server: HttpServer;
/** A server that ends requests that do not arrive at once. */
let impatient: HttpServer;

beforeAll(async () => {
  const options: HttpOptions = {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 30_000_000,
    bodyLimits: [{ under: '/query', maxBytes: limits.queryBodyBytes, limit: 'queryBodyBytes' }],
    limits,
  };
  server = await openHttp(ProbeModule, options);
  impatient = await openHttp(ProbeModule, { ...options, arrival: { headersMs: 400, wholeMs: 800, checkMs: 100 } });
});
afterAll(async () => {
  held.forEach((release) => release());
  await Promise.all([server.close(), impatient.close()]);
});

const talk = async (to = server): Promise<Socket> => {
  const socket = connect({ port: Number(new URL(to.urls[0]!).port), host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns everything that the server sends until it closes the connection. Rejects if the connection breaks. */
async function heard(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  socket.resume();
  await once(socket, 'end');
  socket.destroy();
  return text;
}

/** Sends everything before it reads, as simple clients do. */
async function sendAll(socket: Socket, pieces: Iterable<string | Buffer>): Promise<string> {
  socket.pause();
  for (const piece of pieces) if (!socket.write(piece)) await once(socket, 'drain');
  return heard(socket);
}

const status = (answer: string): number => Number(answer.slice(9, 12));
const post = (path: string, headers: string): string => `POST ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n`;

test('a URL over the limit is answered 431 with the limit, also where the client reads only after it has sent all', async () => {
  for (const size of [21_000, 3_000_000]) {
    const answer = await sendAll(await talk(), [`GET /query?query=${'a'.repeat(size)} HTTP/1.1\r\nhost: x\r\n\r\n`]);
    expect(status(answer)).toBe(431);
    expect(answer).toContain('at most 20000 are allowed');
    expect(answer).toContain('text/plain');
  }
});

test('headers over the limit are answered 431', async () => {
  const answer = await sendAll(await talk(), [`GET /query HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(30_000)}\r\n\r\n`]);
  expect(status(answer)).toBe(431);
});

test('a client that never stops sending is cut off', async () => {
  const socket = await talk();
  let sent = 0;
  const gone = new Promise<void>((resolve) => socket.on('error', resolve).on('close', () => resolve()));
  const more = (): void => {
    while (!socket.destroyed && sent < 4e9) {
      sent += 1_000_000;
      if (!socket.write('a'.repeat(1_000_000))) return void socket.once('drain', more);
    }
  };
  socket.write('GET /query?query=');
  more();
  await gone;
  expect(sent).toBeLessThan(400_000_000);
}, 30_000);

test('what is no HTTP is answered 400', async () => {
  for (const text of ['nonsense\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000\r\n']) {
    expect(status(await sendAll(await talk(), [text]))).toBe(400);
  }
});

test('connections over the limit are answered 503, of one address from half of it on, until others are closed', async () => {
  const few = await openHttp(ProbeModule, {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 1_000,
    limits: { ...limits, connections: 10 },
  });
  const from = async (localAddress: string): Promise<Socket> => {
    const socket = connect({ port: Number(new URL(few.urls[0]!).port), host: '127.0.0.1', localAddress });
    await once(socket, 'connect');
    return socket;
  };
  const works = async (socket: Socket): Promise<number> => status(await sendAll(socket, [closing]));
  const closing = 'GET /none HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';
  const open: Socket[] = [];
  try {
    for (const address of ['127.0.0.1', '127.0.0.2']) {
      for (let at = 0; at < 5; at++) open.push(await from(address));
      const answer = await heard(await from(address));
      expect(status(answer)).toBe(503);
      expect(answer).toContain('retry-after: 5');
      expect(answer).toContain('at most 10 (NODELEDGER_MAX_CONNECTIONS)');
    }
    expect(status(await heard(await from('127.0.0.3')))).toBe(503);
    expect(await works(open[0]!)).toBe(404);
    open[9]!.destroy();
    await until(async () => (await works(await from('127.0.0.3'))) === 404, { what: 'room for a connection' });
  } finally {
    for (const socket of open) socket.destroy();
    await few.close();
  }
});

test('a trusted proxy may have all connections; over TLS, further ones are closed without an answer', async () => {
  const options = { maxBodyBytes: 1_000, limits: { ...limits, connections: 10 }, trustedProxies: ['127.0.0.1'] };
  const authority = Authority.make('CA');
  const issued = authority.issue('localhost');
  const tls = {
    options: { cert: readFileSync(issued.cert), key: readFileSync(issued.key) },
    attach: () => undefined,
    refusal: () => undefined,
  };
  for (const listener of [{}, { tls }]) {
    const few = await openHttp(ProbeModule, { ...options, listeners: [{ host: '127.0.0.1', port: 0, ...listener }] });
    const open: Socket[] = [];
    try {
      for (let count = 0; count < 10; count++) open.push(await talk(few));
      const heardByLast = await heard(await talk(few)).catch(() => '');
      expect(heardByLast.slice(0, 12)).toBe('tls' in listener ? '' : 'HTTP/1.1 503');
      expect(open.map(({ destroyed }) => destroyed)).not.toContain(true);
    } finally {
      for (const socket of open) socket.destroy();
      await few.close();
    }
  }
  authority.remove();
});

test('chunks with very long extensions are answered 413', async () => {
  const chunk = `1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`;
  const answer = await sendAll(await talk(), [post('/other', 'transfer-encoding: chunked'), chunk]);
  expect(status(answer)).toBe(413);
  expect(answer).toContain('x-nodeledger-error: http.chunk-extensions');
});

test('headers and bodies that do not arrive in time are answered 408', async () => {
  const slow = await talk(impatient);
  slow.write('GET /query HTTP/1.1\r\nhos');
  expect(status(await heard(slow))).toBe(408);
  const trickling = await talk(impatient);
  trickling.write(post('/query', 'content-length: 100000'));
  const timer = setInterval(() => trickling.write('a'), 50);
  const answer = await heard(trickling).finally(() => clearInterval(timer));
  expect(status(answer)).toBe(408);
}, 20_000);

describe('a body over the limit of its route is answered 413 with the limit', () => {
  const body = (size: number): Buffer => Buffer.alloc(size, 'a');
  const chunked = function* (size: number, count: number): Generator<string> {
    yield post('/query', 'transfer-encoding: chunked');
    for (let at = 0; at < count; at++) yield `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`;
    yield '0\r\n\r\n';
  };
  test.each<[string, () => Iterable<string | Buffer>]>([
    ['declared', () => [post('/query', 'content-length: 3000000'), body(3_000_000)]],
    ['undeclared', () => chunked(10_000, 300)],
    [
      'compressed',
      () => [post('/query', `connection: close\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}`), bomb],
    ],
  ])('%s', async (_, pieces) => {
    const answer = await sendAll(await talk(), pieces());
    expect(status(answer)).toBe(413);
    expect(answer).toContain('100000 are allowed');
    expect(answer).toContain('NODELEDGER_MAX_QUERY_BODY');
  });
  const bomb = gzipSync(body(20_000_000));

  test('other routes keep theirs', async () => {
    const answer = await sendAll(await talk(), [
      post('/other', 'connection: close\r\ncontent-length: 3000000'),
      body(3_000_000),
    ]);
    expect(answer.endsWith('3000000')).toBe(true);
  });
});

test('a body that comes byte by byte takes no more memory than its bytes', async () => {
  const count = 100_000;
  const socket = await talk();
  socket.write(post('/other', 'connection: close\r\ntransfer-encoding: chunked'));
  const some = '1\r\na\r\n'.repeat(10_000);
  const before = process.memoryUsage();
  let most = 0;
  for (let at = 0; at < count; at += 10_000) {
    if (!socket.write(some)) await once(socket, 'drain');
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    const now = process.memoryUsage();
    most = Math.max(most, now.heapUsed + now.external - before.heapUsed - before.external);
  }
  socket.write('0\r\n\r\n');
  expect((await heard(socket)).endsWith(String(count))).toBe(true);
  // With one buffer for each piece, a piece would take about 200 bytes.
  expect(most / count).toBeLessThan(40);
});

test('only some of the requests that a client sends at once run together', async () => {
  held = [];
  running = 0;
  const socket = await talk();
  const gone = once(socket, 'close');
  socket.on('error', () => undefined);
  socket.write('GET /hold HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2_000));
  await gone;
  expect(running).toBeLessThanOrEqual(20);
  held.forEach((release) => release());
});

test('a few requests at once are answered in their order', async () => {
  const socket = await talk();
  socket.write(
    `${post('/other', 'content-length: 1')}a`.repeat(3) +
      `${post('/other', 'connection: close\r\ncontent-length: 2')}aa`,
  );
  const answer = await heard(socket);
  expect(answer.match(/\r\n\r\n(\d+)/g)).toEqual(['1', '1', '1', '2'].map((length) => `\r\n\r\n${length}`));
});

test('a request with two Host headers is answered 400', async () => {
  const answer = await sendAll(await talk(), [
    'GET /other HTTP/1.1\r\nhost: a\r\nHOST: b\r\nconnection: close\r\n\r\n',
  ]);
  expect(status(answer)).toBe(400);
  expect(answer).toContain('The request has more than one Host header.');
});
