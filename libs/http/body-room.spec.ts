import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { All, Controller, Module, Req, Res } from '@nestjs/common';
import { defaultLimits } from '#limits';
import { until } from '../../test/support/until';
import type { FastifyReply, FastifyRequest } from './fastify';
import { openHttp, type HttpServer } from './open-http';
import { requestBody } from './request-body';

@Controller()
class Probe {
  @All('size')
  async size(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await reply.send(String((await requestBody(request, 1_000_000)).length));
  }

  @All('never')
  never(): Promise<void> {
    return new Promise(() => undefined);
  }
}

@Module({ controllers: [Probe] })
class ProbeModule {}

let server: HttpServer;
let sockets: Socket[] = [];

beforeEach(async () => {
  server = await openHttp(ProbeModule, {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 1_000_000,
    limits: { ...defaultLimits, heldBodyBytes: 1_000_000 },
  });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.close();
});

/** Sends the headers and the beginning of a body from the client address `address`. */
async function begin(address: string, bytes: number): Promise<Socket> {
  const socket = connect({ port: Number(new URL(server.urls[0]!).port), host: '127.0.0.1', localAddress: address });
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(`POST /size HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 900000\r\n\r\n`);
  await new Promise((resolve) => socket.write('x'.repeat(bytes), resolve));
  return socket;
}

/** Returns the beginning of the answer. When the answer begins, the server has read everything that was written. */
async function answerOf(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString('latin1');
}

const post = (body: Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.urls[0]}/size`, { method: 'POST', body, headers: { 'content-type': 'text/plain', ...headers } });

test('a body that finds no room is refused with Retry-After, until others release theirs', async () => {
  const uploads = await Promise.all(['2', '3', '4', '5', '6', '7'].map((last) => begin(`127.0.0.${last}`, 800_000)));
  // The operating system determines which body arrives last.
  const crowded = await Promise.race(uploads.map(async (socket) => ({ socket, answer: await answerOf(socket) })));
  expect(crowded.answer).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 2\r\n/is);
  expect(crowded.answer).toContain('NODELEDGER_MAX_BODIES_IN_MEMORY');
  const [first, second] = uploads.filter((socket) => socket !== crowded.socket) as [Socket, Socket];
  first.destroy();
  await until(() => server.heldBodyBytes <= 3_200_000);
  second.write('x'.repeat(100_000));
  expect(await answerOf(second)).toMatch(/^HTTP\/1\.1 200 /);
  const next = await begin('127.0.0.8', 900_000);
  expect(await answerOf(next)).toMatch(/^HTTP\/1\.1 200 /);
});

test('compressed bodies are counted while they are inflated: of many at once, some are read and the others refused', async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));
  const answers = await Promise.all(Array.from({ length: 30 }, () => post(bomb, { 'content-encoding': 'gzip' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  await until(() => server.heldBodyBytes === 0);
  expect((await post(bomb, { 'content-encoding': 'gzip' })).status).toBe(200);
});

test('what a request held that waited behind another one on its connection is given back when the client leaves', async () => {
  for (const last of ['2', '3', '4', '5']) {
    const port = Number(new URL(server.urls[0]!).port);
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${last}` });
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write('GET /never HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.write('POST /size HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 900000\r\n\r\n');
    await new Promise((resolve) => socket.write('x'.repeat(900_000), resolve));
    await until(() => server.heldBodyBytes === 900_000);
    socket.destroy();
    await until(() => server.heldBodyBytes === 0);
  }
  const next = await begin('127.0.0.6', 900_000);
  expect(await answerOf(next)).toMatch(/^HTTP\/1\.1 200 /);
});
