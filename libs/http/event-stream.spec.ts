/** Server-sent events over HTTP/1.1, HTTP/2 and with gzip. */
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { createGunzip } from 'node:zlib';
import { Controller, Get, Module, Req, Res } from '@nestjs/common';
import { Fault } from '#fault';
import { Authority } from '../../test/support/certificates';
import { EventParser, listenTo, type Listening } from '../../test/support/event-stream';
import { stays, until } from '../../test/support/until';
import { admitAgain } from './admission';
import type { Answer } from './answer';
import { EventStream } from './event-stream';
import type { FastifyReply, FastifyRequest } from './fastify';
import { type HttpServer, openHttp } from './open-http';

let stream: EventStream;
let requested: FastifyRequest;

@Controller()
class Probe {
  @Get('events')
  async events(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    requested = request;
    stream = EventStream.open(reply);
    stream.write(': open\n\n');
    await stream.over();
  }
}

@Module({ controllers: [Probe] })
class ProbeModule {}

const authority = Authority.make('CA');
const own = authority.issue('localhost');
const tls = {
  options: { cert: readFileSync(own.cert), key: readFileSync(own.key) },
  attach: () => undefined,
  refusal: () => undefined,
};
const answers: Answer[] = [];
const open: Listening[] = [];
let server: HttpServer;
let isRevoked = false;

beforeAll(async () => {
  server = await openHttp(ProbeModule, {
    listeners: [
      { host: '127.0.0.1', port: 0 },
      { host: '127.0.0.1', port: 0, tls },
    ],
    maxBodyBytes: 1_000,
    // These limits are shorter than the waits in the tests. If one of them applied to streams, the streams would end.
    arrival: { unreadMs: 300, wholeMs: 300, headersMs: 300, checkMs: 50 },
    graceMs: 1_000,
    onAnswer: (answer) => answers.push(answer),
    authorize: () => {
      if (isRevoked) throw new Fault('unauthorized', 'access.token', 'The token was revoked.');
    },
  });
});
afterEach(() => {
  for (const one of open.splice(0)) one.close();
  isRevoked = false;
});
afterAll(async () => {
  await server.close();
  authority.remove();
});

const listen = async (secure = false, headers: Record<string, string> = {}): Promise<Listening> => {
  const url = `${server.urls[secure ? 1 : 0]!.replace('127.0.0.1', 'localhost')}/events`;
  const listening = await listenTo(url, { headers, request: { ca: authority.certificate } });
  open.push(listening);
  return listening;
};

test.each([
  ['HTTP', false, {}],
  ['HTTP with gzip', false, { 'accept-encoding': 'gzip' }],
  ['HTTPS', true, {}],
  ['HTTPS with gzip', true, { 'accept-encoding': 'gzip' }],
])('each write arrives at once over %s, and a quiet stream stays open', async (_, secure, headers) => {
  const listening = await listen(secure, headers);
  expect(listening.headers['content-encoding']).toBe('accept-encoding' in headers ? 'gzip' : undefined);
  for (let n = 1; n <= 5; n++) {
    stream.write(`: ${n}\n\n`);
    await until(() => listening.comments.includes(String(n)), { withinMs: 5_000 });
  }
  await stays(() => !listening.hasEnded, { forMs: 1_000 });
  stream.write(': late\n\n');
  stream.end();
  await listening.ended();
  expect([listening.isWhole, listening.comments.at(-1)]).toEqual([true, 'late']);
});

test.each([{}, { 'accept-encoding': 'gzip' }])('each write arrives at once over HTTP/2 %j', async (headers) => {
  const session = connect(server.urls[1]!.replace('127.0.0.1', 'localhost'), { ca: authority.certificate });
  const answer = session.request({ ':path': '/events', ...headers });
  const parser = new EventParser();
  const body = 'accept-encoding' in headers ? answer.pipe(createGunzip()) : answer;
  body.setEncoding('utf8').on('data', (text: string) => parser.add(text));
  let isOver = false;
  answer.on('end', () => (isOver = true));
  await until(() => parser.comments.includes('open'));
  for (let n = 1; n <= 5; n++) {
    stream.write(`: ${n}\n\n`);
    await until(() => parser.comments.includes(String(n)), { withinMs: 5_000 });
  }
  await stays(() => !isOver, { forMs: 1_000 });
  stream.end();
  await until(() => isOver);
  session.close();
});

test('knows what the client has not taken, and breaks off', async () => {
  const listening = await listen();
  listening.answer.socket.pause();
  listening.answer.pause();
  let isDrained = false;
  await until(() => {
    stream.write(`: ${'x'.repeat(100_000)}\n\n`);
    return stream.bufferedBytes > 300_000;
  });
  void stream.drained().then(() => (isDrained = true));
  expect(isDrained).toBe(false);
  listening.answer.resume();
  listening.answer.socket.resume();
  await until(() => isDrained);
  stream.cutOff();
  await listening.ended();
  expect(listening.isWhole).toBe(false);
});

test('ends a stream whose client takes nothing for too long', async () => {
  const listening = await listen();
  const { closed } = stream;
  listening.answer.socket.pause();
  listening.answer.pause();
  const filling = setInterval(() => {
    if (stream.bufferedBytes < 1_000_000) stream.write(`: ${'x'.repeat(100_000)}\n\n`);
  }, 10);
  await until(() => closed.aborted);
  clearInterval(filling);
});

test('notices that the client has left', async () => {
  const listening = await listen();
  const { closed } = stream;
  listening.close();
  await until(() => closed.aborted);
  stream.write(': nobody\n\n');
  await stream.drained();
});

test('answers HEAD with the headers alone', async () => {
  const answer = await fetch(`${server.urls[0]}/events`, { method: 'HEAD' });
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'text/event-stream',
    '',
  ]);
});

test('counts the time until a stream begins', async () => {
  answers.splice(0);
  const listening = await listen();
  await stays(() => !listening.hasEnded, { forMs: 500 });
  stream.end();
  await until(() => answers.length === 1);
  expect(answers[0]).toMatchObject({ route: '/events', status: 200 });
  expect(answers[0]!.ms).toBeLessThan(400);
});

test('asks again whether the client may have the answer', async () => {
  await listen();
  await expect(admitAgain(requested)).resolves.toBeUndefined();
  isRevoked = true;
  await expect(admitAgain(requested)).rejects.toMatchObject({ code: 'access.token' });
});
