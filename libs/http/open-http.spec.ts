import { gunzipSync } from 'node:zlib';
import { request as send, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { All, Controller, Get, Module, Param, Req, Res } from '@nestjs/common';
import { Fault } from '#fault';
import { until } from '../../test/support/until';
import type { ClientReading } from './answer-state';
import { answerStream, clientGone, clientReading } from './answer-stream';
import type { FastifyReply, FastifyRequest } from './fastify';
import { openHttp, type HttpServer } from './open-http';
import { requestBody } from './request-body';
import { untilQuiet } from '../../test/support/until';

const seen = { pulled: 0, gone: false, ended: false, reading: undefined as ClientReading | undefined };
/** The route /slow calls `begun`, and answers when `mayEnd` resolves. */
const slow: { begun: () => void; mayEnd: Promise<void> } = { begun: () => undefined, mayEnd: Promise.resolve() };

@Controller()
class Probe {
  @All('echo')
  async echo(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const body = await requestBody(request, 1000);
    await reply.send(`${request.method} ${body.toString()}`);
  }

  @All('streamed')
  async streamed(@Req() request: FastifyRequest): Promise<string> {
    let bytes = 0;
    for await (const piece of request.raw) bytes += (piece as Buffer).length;
    return String(bytes);
  }

  @Get('half')
  half(@Res() reply: FastifyReply): Promise<void> {
    const body = Readable.from(neverEnding());
    body.on('error', () => undefined);
    void reply.header('content-type', 'text/plain').send(body);
    return until(() => reply.raw.headersSent).then(() => {
      throw new Error('after the first part');
    });
  }

  @Get('fault/:kind')
  fault(@Param('kind') kind: string): void {
    if (kind === 'query') throw new Fault('malformed', 'query.field', 'no such field', { hint: 'Known are a and b.' });
    if (kind === 'command') throw new Fault('malformed', 'command.invalid', 'no such command');
    if (kind === 'busy') throw new Fault('busy', 'log.unavailable', 'wait', { details: { retryAfterSeconds: 7 } });
    if (kind === 'media')
      throw new Fault('unacceptable', 'http.content-type', 'wrong type', { details: { status: 415 } });
    if (kind === 'missing') throw new Fault('missing', 'query.record', 'No information is known about "x"');
    if (kind === 'conflict') throw new Fault('conflict', 'admin.running', 'another one runs');
    if (kind === 'down') throw new Fault('broken', 'database.migration', 'there is no space');
    if (kind === 'full') throw new Error('no space left in secret');
    if (kind === 'status') throw Object.assign(new Error('x'.repeat(300)), { statusCode: 417 });
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- a library may do so
    if (kind === 'text') throw 'secret';
    throw new Error('secret');
  }

  @Get('whole')
  async whole(@Res() reply: FastifyReply): Promise<void> {
    await answerStream(reply.header('content-type', 'application/json'), lines(3));
  }

  @Get('long')
  async long(@Res() reply: FastifyReply): Promise<void> {
    const gone = clientGone(reply);
    gone.addEventListener('abort', () => (seen.gone = true));
    seen.reading = clientReading(reply);
    await answerStream(reply.header('content-type', 'application/json'), lines(20_000));
  }

  @Get('sized')
  async sized(@Res() reply: FastifyReply): Promise<void> {
    const text = 'x'.repeat(5_000);
    await reply.headers({ 'content-type': 'text/plain', 'content-length': text.length }).send(Readable.from([text]));
  }

  @Get('wide')
  async wide(@Res() reply: FastifyReply): Promise<void> {
    await answerStream(reply.header('content-type', 'application/json'), wide());
  }

  @Get('slow')
  async slow(): Promise<string> {
    slow.begun();
    await slow.mayEnd;
    return 'done';
  }

  @Get('early')
  async early(@Res() reply: FastifyReply): Promise<void> {
    await answerStream(reply, lines(10, 5));
  }

  @Get('late')
  async late(@Res() reply: FastifyReply): Promise<void> {
    await answerStream(reply.header('content-type', 'application/json'), lines(10_000, 5_000));
  }
}

async function* neverEnding(): AsyncGenerator<string> {
  yield 'the first part';
  await new Promise(() => undefined);
}

async function* lines(count: number, failAt = Infinity): AsyncGenerator<string> {
  seen.pulled = 0;
  seen.ended = false;
  try {
    for (let i = 0; i < count; i++) {
      if (i === failAt) throw new Fault('timed-out', 'query.timeout', 'too slow', { details: { status: 500 } });
      seen.pulled++;
      await new Promise((resolve) => setImmediate(resolve));
      yield 'x'.repeat(1000) + '\n';
    }
  } finally {
    seen.ended = true;
  }
}

/** Matches errors of a component that is down. */
const isDown = (error: unknown): boolean => error instanceof Error && error.message.includes('no space');

/** Characters of one to four bytes, so that a piece of any length ends within a character. */
const wideText = 'a\u00e9\u20ac\ud83d\ude00b'.repeat(30_001);
async function* wide(): AsyncGenerator<string> {
  for (let shift = 0; shift < 4; shift++) yield 'x'.repeat(shift) + wideText;
}

@Module({ controllers: [Probe] })
class ProbeModule {}

const reported: unknown[] = [];
let server: HttpServer;
let base: string;

beforeAll(async () => {
  server = await openHttp(ProbeModule, {
    listeners: [
      { host: '127.0.0.1', port: 0 },
      { host: '127.0.0.1', port: 0 },
    ],
    maxBodyBytes: 2000,
    streamedBodies: ['/streamed'],
    report: (error) => reported.push(error),
    hintFor: (path) => (path === '/no/such' ? 'It is at /.' : undefined),
    explain: (error) =>
      isDown(error) ? new Fault('busy', 'database.full', 'The disk is full.', { hint: 'Make room.' }) : undefined,
  });
  base = server.urls[0]!;
});
afterAll(() => server.close());

test('a compressed answer does not have the length of the plain one', async () => {
  const { message, body } = await raw('/sized', { 'accept-encoding': 'gzip' });
  expect([message.headers['content-encoding'], message.headers['content-length']]).toEqual(['gzip', undefined]);
  expect(gunzipSync(body).length).toBe(5_000);
});

test('no browser is to guess what an answer is or to frame it; clear text does not ask for TLS', async () => {
  for (const path of ['/whole', '/fault/query', '/nope', '/%']) {
    const { headers } = await fetch(base + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    for (const name of ['strict-transport-security', 'server', 'x-powered-by']) expect(headers.get(name)).toBeNull();
  }
});

test('bodies arrive as bytes, for any method and media type, inflated on request', async () => {
  const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
    fetch(`${base}/echo`, { method: 'POST', body, headers });
  expect(await (await post('{"a":1.0}', { 'content-type': 'application/json' })).text()).toBe('POST {"a":1.0}');
  expect(await (await post('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).text()).toBe('POST a=1');
  const gzipped = (await import('node:zlib')).gzipSync('packed');
  expect(await (await post(gzipped, { 'content-encoding': 'gzip' })).text()).toBe('POST packed');
  const empty = await fetch(`${base}/echo`, { headers: { 'content-type': 'application/json; charset=UTF-8' } });
  expect(await empty.text()).toBe('GET ');
});

test('bodies over a limit, as they come or inflated, are 413; unknown codings 415; broken gzip 400', async () => {
  const post = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
    fetch(`${base}/echo`, { method: 'POST', body, headers });
  const { gzipSync, brotliCompressSync } = await import('node:zlib');
  expect((await post('y'.repeat(2001))).status).toBe(413);
  expect((await post(gzipSync('y'.repeat(1001)), { 'content-encoding': 'gzip' })).status).toBe(413);
  expect((await post(brotliCompressSync('y'), { 'content-encoding': 'br' })).status).toBe(415);
  expect((await post('no gzip', { 'content-encoding': 'gzip' })).status).toBe(400);
});

test.each([
  ['query', 400, 'query.field', 'text/plain', 'no such field\n\nKnown are a and b.'],
  ['command', 400, 'command.invalid', 'application/json', '{"error":"no such command"}'],
  ['media', 415, 'http.content-type', 'text/plain', 'wrong type'],
  ['missing', 404, 'query.record', 'application/json', '{\n  "error" : "No information is known about \\"x\\""\n}'],
  ['conflict', 409, 'admin.running', 'application/json', '{"kind":"conflict","msg":"another one runs","details":null}'],
])('a fault of kind %s becomes %i with its code', async (kind, ...expected) => {
  const response = await fetch(`${base}/fault/${kind}`);
  expect([
    response.status,
    response.headers.get('x-nodeledger-error'),
    response.headers.get('content-type')?.split(';')[0],
    await response.text(),
  ]).toEqual(expected);
});

test.each([
  ['/no/such', 404, 'http.not-found'],
  ['/fault/other', 500, 'http.broken'],
  ['/fault/full', 503, 'database.full'],
  ['/%', 400, 'http.request'],
])('answers of the framework have a code too: %s', async (path, status, code) => {
  const { message } = await raw(path, {});
  expect([message.statusCode, message.headers['x-nodeledger-error']]).toEqual([status, code]);
});

test('what is no fault has no code', async () => {
  const { message } = await raw('/whole', {});
  expect([message.statusCode, message.headers['x-nodeledger-error']]).toEqual([200, undefined]);
});

test('a busy fault says when to come back; an unexpected error is told to the log, not to the client', async () => {
  expect((await fetch(`${base}/fault/busy`)).headers.get('retry-after')).toBe('7');
  reported.length = 0;
  const response = await fetch(`${base}/fault/other`);
  expect([response.status, (await response.text()).includes('secret')]).toEqual([500, false]);
  expect(String(reported[0])).toContain('secret');
});

test('an error of the framework keeps its status, and is not reported', async () => {
  reported.length = 0;
  const response = await fetch(`${base}/fault/status`);
  expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
    417,
    'text/plain;charset=utf-8',
    expect.stringMatching(/^x{150,200}…?/) as string,
  ]);
  expect(reported).toEqual([]);
});

test.each(['down', 'full'])('what is explained is answered so, and not reported: %s', async (kind) => {
  reported.length = 0;
  const response = await fetch(`${base}/fault/${kind}`);
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    503,
    '5',
    { error: 'The disk is full.\n\nMake room.' },
  ]);
  expect(reported).toEqual([]);
});

test('unknown routes are 404 with a JSON body, at every listener', async () => {
  for (const url of server.urls) {
    const response = await fetch(`${url}/no/such?x=1`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      message: 'Not Found',
      status: '404',
      url: '/no/such',
      hint: 'It is at /.',
    });
    const unhinted: unknown = await (await fetch(`${url}/no/hint`)).json();
    expect(unhinted).toEqual({ message: 'Not Found', status: '404', url: '/no/hint' });
  }
});

test('a URL that cannot be decoded is 400, plain text', async () => {
  const response = await fetch(`${base}/fault/%ZZ`);
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/plain;charset=utf-8']);
});

test('short answers have a length, long ones are streamed; both are compressed for who takes it', async () => {
  const whole = await raw('/whole', { 'accept-encoding': 'identity' });
  expect([whole.message.headers['content-length'], whole.body.length]).toEqual(['3003', 3003]);
  for (const [path, length] of [
    ['/whole', 3003],
    ['/long', 20_020_000],
  ] as const) {
    const packed = await raw(path, { 'accept-encoding': 'br, gzip;q=0.5' });
    expect(packed.message.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.body).length).toBe(length);
  }
  const refused = await raw('/long', { 'accept-encoding': 'gzip;q=0' });
  expect([refused.message.headers['content-encoding'], refused.body.length]).toEqual([undefined, 20_020_000]);
});

test('long texts are cut between characters', async () => {
  const expected = [0, 1, 2, 3].map((shift) => 'x'.repeat(shift) + wideText).join('');
  expect((await raw('/wide', {})).body.toString('utf8') === expected).toBe(true);
});

test('HEAD gives the headers of GET', async () => {
  const response = await fetch(`${base}/whole`, { method: 'HEAD' });
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('an error before anything was sent is a status, a later one breaks the connection', async () => {
  expect((await fetch(`${base}/early`)).status).toBe(500);
  for (const coding of ['identity', 'gzip']) {
    await expect(raw('/late', { 'accept-encoding': coding })).rejects.toThrow(/aborted|socket hang up/);
  }
});

test('a client that stops reading stops the source; one that leaves ends it', async () => {
  seen.gone = false;
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    send(`${base}/long`, resolve).on('error', reject).end();
  });
  await new Promise((resolve) => message.once('readable', resolve));
  await settled();
  expect(seen.pulled).toBeLessThan(19_000);
  const taken = seen.reading!.taken();
  expect([seen.reading!.waiting(), taken > 0, taken < 20_020_000]).toEqual([true, true, true]);
  message.destroy();
  await settled();
  expect([seen.gone, seen.ended]).toEqual([true, true]);
});

test('closing lets an answer under way finish, and does not wait for idle connections', async () => {
  const own = await openHttp(ProbeModule, { listeners: [{ host: '127.0.0.1', port: 0 }], maxBodyBytes: 2000 });
  const begun = new Promise<void>((resolve) => (slow.begun = resolve));
  let end: () => void = () => undefined;
  slow.mayEnd = new Promise((resolve) => (end = resolve));
  const answer = fetch(`${own.urls[0]}/slow`);
  await begun;
  const closing = own.close();
  end();
  await closing;
  expect(await (await answer).text()).toBe('done');
  await expect(fetch(`${own.urls[0]}/slow`)).rejects.toThrow();
});

/** Waits until the source has paused for a while. */
const settled = (): Promise<void> => untilQuiet(() => seen.pulled);

function raw(path: string, headers: Record<string, string>): Promise<{ message: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = send(base + path, { headers }, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('error', reject);
      message.on('end', () => resolve({ message, body: Buffer.concat(chunks) }));
    });
    request.on('error', reject).end();
  });
}

test('the handler of a streamed body reads it without the limit and the budget of other bodies', async () => {
  const send = async (method: string): Promise<[number, string]> => {
    const answer = await fetch(`${base}/streamed`, { method, body: 'x'.repeat(100_000) });
    return [answer.status, await answer.text()];
  };
  expect(await send('POST')).toEqual([200, '100000']);
  expect(server.heldBodyBytes).toBe(0);
  // Only POST requests are streamed.
  expect((await send('PUT'))[0]).toBe(413);
});

test('a body over the limit of its handler is refused, though the server accepts it', async () => {
  const answer = await fetch(`${base}/echo`, { method: 'POST', body: 'x'.repeat(1001) });
  expect([answer.status, answer.headers.get('x-nodeledger-error')]).toEqual([413, 'http.body-too-large']);
});

test('a value that is thrown in place of an error is reported and answered without its text', async () => {
  const answer = await fetch(`${base}/fault/text`);
  expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('secret')]);
  expect(reported.at(-1)).toBe('secret');
});

test('if one listener cannot be opened, the others are closed, and the error is that of the system', async () => {
  const taken = Number(new URL(base).port);
  const opening = openHttp(ProbeModule, {
    listeners: [
      { host: '127.0.0.1', port: 0 },
      { host: '127.0.0.1', port: taken },
    ],
    maxBodyBytes: 1_000,
  });
  await expect(opening).rejects.toMatchObject({ code: 'EADDRINUSE', port: taken });
});

test('an error after the first part of an answer breaks the connection', async () => {
  const answer = await fetch(`${base}/half`);
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
});
