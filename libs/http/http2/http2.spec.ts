/** Tests that the limits of HTTP/1.1 apply to HTTP/2 too. Takes about five seconds. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { get } from 'node:https';
import { connect as connectClear } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { gunzipSync, gzipSync } from 'node:zlib';
import { All, Controller, Get, Module, Req, Res } from '@nestjs/common';
import { Fault } from '#fault';
import { defaultLimits, overLimit } from '#limits';
import { Authority } from '../../../test/support/certificates';
import { flags, frame, FrameClient, frameTypes, headerBlock, request, reset } from '../../../test/support/http2-frames';
import { until } from '../../../test/support/until';
import { answerStream, clientGone, clientReading } from '../answer-stream';
import { callerOf, setCaller } from '../caller';
import type { FastifyReply, FastifyRequest } from '../fastify';
import { type HttpOptions, type HttpServer, openHttp } from '../open-http';
import { requestBody } from '../request-body';
import { untilQuiet } from '../../../test/support/until';

const limits = { ...defaultLimits, headerBytes: 20_000, queryBodyBytes: 100_000 };
const seen = { started: 0, gone: 0, pulled: 0, ended: 0, bodies: [] as string[], callers: [] as string[] };
let held: (() => void)[] = [];
let reading: { taken(): number; waiting(): boolean } | undefined;

@Controller()
class Probe {
  @All('echo')
  async echo(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = (await requestBody(request, 20_000_000)).toString();
    seen.bodies.push(body);
    await reply.send(`${request.method} ${body.length} ${body.slice(0, 20)}`);
  }

  @All('query')
  async query(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const refuse = (found?: number) => overLimit(limits, 'queryBodyBytes', found);
    await reply.send(String((await requestBody(request, limits.queryBodyBytes, refuse)).length));
  }

  @Get('who')
  who(@Req() request: FastifyRequest): string {
    return JSON.stringify({ ...callerOf(request), address: request.raw.socket.remoteAddress });
  }

  @All('long')
  async long(@Res() reply: FastifyReply): Promise<void> {
    clientGone(reply).addEventListener('abort', () => seen.gone++);
    reading = clientReading(reply);
    await answerStream(reply.header('content-type', 'application/json'), lines(5_000));
  }

  @Get('hold')
  async hold(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    seen.started++;
    clientGone(reply).addEventListener('abort', () => seen.gone++);
    await new Promise<void>((resolve) => held.push(resolve));
    seen.callers.push(JSON.stringify(callerOf(request)));
    await reply.send('held');
  }

  @Get('early')
  async early(@Res() reply: FastifyReply): Promise<void> {
    await answerStream(reply, lines(10, 5));
  }

  @Get('late')
  async late(@Res() reply: FastifyReply): Promise<void> {
    await answerStream(reply.header('content-type', 'application/json'), lines(3_000, 2_000));
  }
}

async function* lines(count: number, failAt = Infinity): AsyncGenerator<string> {
  seen.pulled = 0;
  try {
    for (let at = 0; at < count; at++) {
      if (at === failAt) throw new Fault('timed-out', 'query.timeout', 'too slow', { details: { status: 500 } });
      seen.pulled++;
      if (at % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      yield 'x'.repeat(999) + '\n';
    }
  } finally {
    seen.ended++;
  }
}

@Module({ controllers: [Probe] })
class ProbeModule {}

const authority = Authority.make('CA');
const own = authority.issue('localhost');
const pem = { cert: readFileSync(own.cert), key: readFileSync(own.key) };
const warnings: Error[] = [];
const onWarning = (warning: Error): void => void warnings.push(warning);

const options = (more: Partial<HttpOptions> = {}): HttpOptions => ({
  listeners: [{ host: '127.0.0.1', port: 0, tls: { options: pem, attach: () => undefined, refusal: () => undefined } }],
  maxBodyBytes: 20_000_000,
  bodyLimits: [{ under: '/query', maxBytes: limits.queryBodyBytes, limit: 'queryBodyBytes' }],
  limits,
  ...more,
});

let server: HttpServer;
const sessions: ClientHttp2Session[] = [];
const clients: FrameClient[] = [];
beforeAll(async () => {
  process.on('warning', onWarning);
  server = await openHttp(ProbeModule, options());
});
beforeEach(() => {
  held = [];
  Object.assign(seen, { started: 0, gone: 0, pulled: 0, ended: 0, bodies: [], callers: [] });
});
afterEach(() => {
  held.forEach((release) => release());
  for (const session of sessions.splice(0)) session.destroy();
  for (const { socket } of clients.splice(0)) socket.destroy();
});
afterAll(async () => {
  await server.close();
  authority.remove();
  process.off('warning', onWarning);
  expect(warnings.map(String)).toEqual([]);
});

function open(to = server): ClientHttp2Session {
  const session = connect(to.urls[0]!.replace('127.0.0.1', 'localhost'), { ca: authority.certificate });
  session.on('error', () => undefined);
  sessions.push(session);
  return session;
}

async function frames(to = server): Promise<FrameClient> {
  const client = await FrameClient.open({ port: Number(new URL(to.urls[0]!).port), ca: authority.certificate });
  clients.push(client);
  return client;
}

interface Heard {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: Buffer;
  /** Code of RST_STREAM, or 0 if the stream ended normally. */
  readonly code: number;
}

function start(session: ClientHttp2Session, path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream {
  const method = headers[':method'] ?? 'GET';
  const stream = session.request({ ':path': path, ...headers }, { endStream: method === 'GET' || method === 'HEAD' });
  return stream.on('error', () => undefined);
}

async function hear(stream: ClientHttp2Stream): Promise<Heard> {
  let headers: Record<string, unknown> = {};
  const pieces: Buffer[] = [];
  stream.on('response', (found) => (headers = found)).on('data', (piece: Buffer) => pieces.push(piece));
  if (!stream.closed) await once(stream, 'close').catch(() => undefined);
  return { status: headers[':status'] as number, headers, body: Buffer.concat(pieces), code: stream.rstCode };
}

const ask = (path: string, headers: OutgoingHttpHeaders = {}, session = open()): Promise<Heard> =>
  hear(start(session, path, headers));

function post(path: string, body: Buffer | string, headers: OutgoingHttpHeaders = {}): Promise<Heard> {
  const stream = start(open(), path, { ':method': 'POST', ...headers });
  stream.end(body);
  return hear(stream);
}

test('the client chooses the protocol, on one port', async () => {
  const chosen = async (offered: string[]): Promise<unknown> => {
    const port = Number(new URL(server.urls[0]!).port);
    const socket = connectTls({ host: '127.0.0.1', port, ca: authority.certificate, ALPNProtocols: offered });
    await once(socket, 'secureConnect');
    socket.destroy();
    return socket.alpnProtocol;
  };
  expect([await chosen(['http/1.1', 'h2']), await chosen(['http/1.1']), await chosen([])]).toEqual([
    'h2',
    'http/1.1',
    false,
  ]);
  const older = await new Promise<number | undefined>((resolve) =>
    get(`${server.urls[0]}/who`, { ca: authority.certificate, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }),
  );
  expect(older).toBe(200);
});

test('answers have the headers of all answers, and none that HTTP/2 does not have', async () => {
  const { status, headers, body } = await ask('/who', { 'x-request-id': 'mine' });
  expect([status, JSON.parse(body.toString())]).toEqual([200, { secure: true, address: '127.0.0.1' }]);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'strict-transport-security': 'max-age=31536000',
    'x-request-id': 'mine',
  });
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'server'])
    expect(headers).not.toHaveProperty(name);
});

describe('bodies', () => {
  test.each<[string, OutgoingHttpHeaders]>([
    ['with a length', { 'content-length': 5, 'content-type': 'application/json' }],
    ['without a length', { 'content-type': 'application/json' }],
    ['without a type', { 'content-length': 5 }],
    ['with neither', {}],
  ])('%s arrive', async (_, headers) => {
    expect((await post('/echo', 'hello', headers)).body.toString()).toBe('POST 5 hello');
  });

  test('none, compressed ones, large ones', async () => {
    expect((await ask('/echo', { 'content-type': 'application/json' })).body.toString()).toBe('GET 0 ');
    expect((await post('/echo', gzipSync('packed'), { 'content-encoding': 'gzip' })).body.toString()).toBe(
      'POST 6 packed',
    );
    expect((await post('/echo', 'y'.repeat(15_000_000))).body.toString()).toMatch(/^POST 15000000 y/);
    expect(server.heldBodyBytes).toBe(0);
  });

  test.each<[string, OutgoingHttpHeaders]>([
    ['declared', { 'content-length': 3_000_000 }],
    ['not declared', {}],
  ])('over the limit of their route are answered 413 with the limit: %s', async (_, headers) => {
    const session = open();
    const stream = start(session, '/query', { ':method': 'POST', ...headers });
    stream.end(Buffer.alloc(3_000_000, 'a'));
    const { status, body } = await hear(stream);
    expect([status, body.toString()]).toEqual([413, expect.stringContaining('NODELEDGER_MAX_QUERY_BODY')]);
    expect((await ask('/who', {}, session)).status).toBe(200);
    expect(server.heldBodyBytes).toBe(0);
  });

  test('that are broken off are no bodies', async () => {
    for (const code of [constants.NGHTTP2_CANCEL, constants.NGHTTP2_NO_ERROR, undefined]) {
      const client = await frames();
      client.send(
        frame(
          frameTypes.headers,
          flags.endHeaders,
          1,
          request('/echo', 'POST', { 'content-type': 'application/json' }),
        ),
        frame(frameTypes.data, 0, 1, Buffer.from('half of ')),
      );
      await until(() => server.heldBodyBytes === 8);
      if (code === undefined) client.socket.destroy();
      else client.send(reset(1, code));
      await until(() => server.heldBodyBytes === 0);
    }
    expect((await ask('/who')).status).toBe(200);
    expect(seen.bodies).toEqual([]);
  });
});

test('HEAD gives the headers of GET, also of long answers', async () => {
  for (const path of ['/who', '/long']) {
    const { status, body, code } = await ask(path, { ':method': 'HEAD' });
    expect([path, status, body.length, code]).toEqual([path, 200, 0, 0]);
  }
  await until(() => seen.ended === 1);
});

test('long answers are streamed, and compressed for who takes it', async () => {
  expect((await ask('/long')).body.length).toBe(5_000_000);
  const packed = await ask('/long', { 'accept-encoding': 'gzip' });
  expect([packed.headers['content-encoding'], gunzipSync(packed.body).length]).toEqual(['gzip', 5_000_000]);
  expect([seen.ended, seen.gone]).toEqual([2, 0]);
});

test('an error before anything was sent is a status; a later one breaks the stream, and no other', async () => {
  const session = open();
  const [early, late, packed, other] = await Promise.all([
    ask('/early', {}, session),
    ask('/late', {}, session),
    ask('/late', { 'accept-encoding': 'gzip' }, session),
    ask('/long', {}, session),
  ]);
  expect([early.status, early.code]).toEqual([500, 0]);
  for (const { status, code } of [late, packed])
    expect([status, code]).toEqual([200, constants.NGHTTP2_INTERNAL_ERROR]);
  expect([other.body.length, other.code]).toEqual([5_000_000, 0]);
});

test('headers over the limit are answered 431 with the limit', async () => {
  const { status, headers, body } = await ask(`/query?query=${'a'.repeat(21_000)}`);
  expect([status, headers['x-nodeledger-error'], body.toString()]).toEqual([
    431,
    'http.limit',
    expect.stringContaining('at most 20000 are allowed'),
  ]);
  expect((await ask('/who', { wide: 'b'.repeat(60_000) })).status).toBe(431);
});

test('connections that would fill the memory with headers end, and no other', async () => {
  const wide = await frames();
  // The headers refer a thousand times to one entry of 4 kB in the table of the connection.
  const remembered = Buffer.concat([Buffer.from([0x40]), headerBlock({ wide: 'b'.repeat(4_000) }).subarray(1)]);
  const block = Buffer.concat([request('/who'), remembered, Buffer.alloc(12_000, 0xbe)]);
  wide.send(frame(frameTypes.headers, flags.endHeaders | flags.endStream, 1, block));
  await until(() => wide.of(frameTypes.reset).length + wide.of(frameTypes.goaway).length > 0);
  const endless = await frames();
  endless.send(frame(frameTypes.headers, 0, 1, request('/who')));
  for (let at = 0; at < 20; at++)
    endless.send(frame(frameTypes.continuation, 0, 1, headerBlock({ a: 'b'.repeat(16_000) })));
  await until(() => endless.socket.destroyed);
  expect((await ask('/who')).status).toBe(200);
});

test('only so many requests of a connection run at once', async () => {
  const client = await frames();
  const all = Array.from({ length: 150 }, (_, at) =>
    frame(frameTypes.headers, flags.endHeaders | flags.endStream, 2 * at + 1, request('/hold')),
  );
  client.send(...all);
  await until(() => seen.started === 100);
  await until(() => client.of(frameTypes.reset).length === 50);
  const codes = new Set(client.of(frameTypes.reset).map(({ payload }) => payload.readUInt32BE()));
  // This code tells the client that the request had no effect and may be sent again.
  expect([...codes]).toEqual([constants.NGHTTP2_REFUSED_STREAM]);
  expect(seen.started).toBe(100);
});

test('the requests of an address are counted over all its connections', async () => {
  const small = await openHttp(ProbeModule, options({ limits: { ...limits, connections: 10 } }));
  try {
    const [first, second] = [open(small), open(small)];
    const holding = Array.from({ length: 5 }, (_, at) => hear(start(at % 2 === 0 ? first : second, '/hold')));
    await until(() => seen.started === 5);
    const refused = await ask('/hold', {}, second);
    expect([refused.status, refused.headers['retry-after'], refused.headers['x-nodeledger-error']]).toEqual([
      ...[503, '5', 'http.connections'],
    ]);
    expect(refused.body.toString()).toContain('at most 10 (NODELEDGER_MAX_CONNECTIONS), half of them from one client');
    held.forEach((release) => release());
    expect((await Promise.all(holding)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await ask('/who', {}, second)).status).toBe(200);
  } finally {
    await small.close();
  }
});

test('a client that takes back requests at once and for ever loses its connection; others are answered', async () => {
  const client = await frames();
  const closed = once(client.socket, 'close');
  let sent = 0;
  for (; sent < 100_000 && !client.socket.destroyed; sent += 50) {
    const some = Array.from({ length: 50 }, (_, at) => {
      const stream = 2 * (sent + at) + 1;
      const headers = frame(frameTypes.headers, flags.endHeaders | flags.endStream, stream, request('/hold'));
      return [headers, reset(stream, constants.NGHTTP2_CANCEL)];
    });
    client.send(...some.flat());
    await new Promise((resolve) => setImmediate(resolve));
  }
  await closed;
  expect((await ask('/who')).status).toBe(200);
  expect(seen.started).toBeLessThan(300);
});

test('who sends a request is known also when it was taken back meanwhile', async () => {
  const session = open();
  const stream = start(session, '/hold');
  await until(() => seen.started === 1);
  stream.close(constants.NGHTTP2_CANCEL);
  await until(() => seen.gone === 1);
  session.destroy();
  held.pop()?.();
  await until(() => seen.callers.length === 1);
  expect(seen.callers).toEqual(['{"secure":true}']);
});

test('a client that takes back some requests stays', async () => {
  const session = open();
  for (let at = 0; at < 100; at++) {
    const stream = start(session, '/hold');
    if (at === 0) await until(() => seen.started === 1);
    stream.close(constants.NGHTTP2_CANCEL);
  }
  expect((await ask('/who', {}, session)).status).toBe(200);
  await until(() => seen.gone === seen.started);
});

test('a client that reads nothing of one answer stops its source, and gets the others', async () => {
  const session = open();
  const stalled = start(session, '/long').pause();
  await once(stalled, 'response');
  await untilQuiet(() => seen.pulled);
  expect(seen.pulled).toBeLessThan(2_000);
  const [own, pulled] = [reading!, seen.pulled];
  const taken = own.taken();
  expect(own.waiting()).toBe(true);
  expect((await ask('/long', {}, session)).body.length).toBe(5_000_000);
  // Bytes of other answers on the connection do not count for this answer.
  expect([own.taken(), own.waiting()]).toEqual([taken, true]);
  stalled.close(constants.NGHTTP2_CANCEL);
  await until(() => seen.gone === 1);
  await until(() => seen.ended === 2);
  expect(pulled).toBeLessThan(2_000);
});

describe('times', () => {
  let impatient: HttpServer;
  beforeAll(async () => {
    impatient = await openHttp(
      ProbeModule,
      options({ arrival: { headersMs: 400, unreadMs: 400, wholeMs: 800, checkMs: 100 } }),
    );
  });
  afterAll(() => impatient.close());

  test('a body that does not arrive in time is answered 408, and the connection goes on', async () => {
    const session = open(impatient);
    const stream = start(session, '/echo', { ':method': 'POST', 'content-type': 'application/json' });
    const timer = setInterval(() => stream.write('a'), 50);
    stream.once('response', () => clearInterval(timer));
    stream.once('end', () => stream.end());
    const { status, headers } = await hear(stream);
    expect([status, headers['x-nodeledger-error']]).toEqual([408, 'http.slow']);
    expect((await ask('/who', {}, session)).status).toBe(200);
  });

  test('a connection without a request ends, also one that never completes its headers', async () => {
    const [silent, slow] = [await frames(impatient), await frames(impatient)];
    slow.send(frame(frameTypes.headers, 0, 1, request('/who')));
    await until(() => silent.socket.destroyed && slow.socket.destroyed);
    expect(silent.of(frameTypes.goaway)).toHaveLength(1);
  });

  test('a client may wait for an answer longer than for one that it does not read', async () => {
    const waiting = ask('/hold', {}, open(impatient));
    await until(() => seen.started === 1);
    const start = performance.now();
    await until(() => performance.now() - start > 900);
    held.pop()!();
    expect((await waiting).body.toString()).toBe('held');
  });

  test('a client with a credential has more time to read an answer', async () => {
    const patient = await openHttp(
      ProbeModule,
      options({
        arrival: { unreadMs: 300, wholeMs: 1_500 },
        authorize: (request) => setCaller(request, { secure: true, token: 'dashboard' }),
      }),
    );
    try {
      const stalled = start(open(patient), '/long').pause();
      await once(stalled, 'response');
      const began = performance.now();
      await until(() => seen.gone === 1);
      expect(performance.now() - began).toBeGreaterThan(1_000);
    } finally {
      await patient.close();
    }
  });

  test('an answer of which nothing is read for long is broken off', async () => {
    const session = open(impatient);
    const stalled = start(session, '/long').pause();
    await until(() => seen.gone === 1);
    expect((await ask('/who', {}, session)).status).toBe(200);
    stalled.resume();
    expect((await hear(stalled)).code).toBe(constants.NGHTTP2_CANCEL);
  });
});

test('closing lets answers under way finish, refuses further requests, and does not wait for idle connections', async () => {
  const other = await openHttp(ProbeModule, options());
  const [session, idle] = [open(other), open(other)];
  await once(idle, 'connect');
  const slow = ask('/hold', {}, session);
  await until(() => seen.started === 1);
  const goaway = once(session, 'goaway');
  const closed = other.close();
  await goaway;
  await until(() => idle.destroyed);
  expect(session.closed).toBe(true);
  held.forEach((release) => release());
  expect((await slow).body.toString()).toBe('held');
  await closed;
});

test('a client whose handshake ends after the service began to close cannot send a request', async () => {
  const other = await openHttp(ProbeModule, options({ graceMs: 120_000 }));
  const early = connectClear(Number(new URL(other.urls[0]!).port), '127.0.0.1');
  await once(early, 'connect');
  // The answer shows that the server has accepted the previous connection too.
  expect((await ask('/who', {}, open(other))).status).toBe(200);
  const closed = other.close();
  const session = connect('https://localhost', {
    createConnection: () =>
      connectTls({ socket: early, servername: 'localhost', ca: authority.certificate, ALPNProtocols: ['h2'] }),
  });
  session.on('error', () => undefined);
  sessions.push(session);
  await until(() => session.closed || session.destroyed, { withinMs: 20_000 });
  await closed;
});

test('closing breaks what is not over in time', async () => {
  const other = await openHttp(ProbeModule, options({ graceMs: 100 }));
  const stalled = start(open(other), '/hold');
  await until(() => seen.started === 1);
  await other.close();
  expect((await hear(stalled)).status).toBeUndefined();
  await until(() => seen.gone === 1);
});
