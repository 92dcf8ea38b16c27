import { request as send } from 'node:http';
import { connect } from 'node:net';
import { Controller, Get, Module, Req } from '@nestjs/common';
import type { Span, SpanAttributes, SpanOptions, Tracing } from '#observe';
import type { FastifyRequest } from './fastify';
import { type HttpServer, openHttp } from './open-http';
import { identityFields, requestIdentity } from './request-identity';

@Controller()
class Probe {
  @Get('who/:value')
  who(@Req() request: FastifyRequest): object {
    return identityFields(requestIdentity(request));
  }
  @Get('broken/:value')
  broken(): void {
    throw new Error('nobody expected this');
  }
}

@Module({ controllers: [Probe] })
class ProbeModule {}

interface Recorded {
  readonly name: string;
  readonly options: SpanOptions | undefined;
  readonly attributes: Record<string, unknown>;
  ended?: string | undefined;
}
/** Records spans instead of sending them. */
class KeptSpans implements Tracing {
  readonly on = true;
  readonly spans: Recorded[] = [];
  start(name: string, options?: SpanOptions): Span {
    const kept: Recorded = { name, options, attributes: { ...options?.attributes } };
    this.spans.push(kept);
    const span: Span = {
      context: { traceId: options?.parent?.traceId ?? 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true },
      child: () => span,
      set: (attributes: SpanAttributes) => void Object.assign(kept.attributes, attributes),
      end: (failure) => void (kept.ended = failure ?? 'well'),
    };
    return span;
  }
  async close(): Promise<void> {}
}

const failed: unknown[] = [];
const tracing = new KeptSpans();
let plain: HttpServer;
let traced: HttpServer;
const listeners = [{ host: '127.0.0.1', port: 0 }];
beforeAll(async () => {
  const report = (_error: unknown, request: { route: string; identity: object }): void => void failed.push(request);
  plain = await openHttp(ProbeModule, { listeners, maxBodyBytes: 1_000, report });
  traced = await openHttp(ProbeModule, { listeners, maxBodyBytes: 1_000, tracing });
});
afterAll(() => Promise.all([plain.close(), traced.close()]));

async function ask(server: HttpServer, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.urls[0] + path, { headers });
  const { headers: given } = response;
  return { id: given.get('x-request-id'), trace: given.get('traceparent'), text: await response.text() };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const trace = '0af7651916cd43dd8448eb211c80319c';
const parent = `00-${trace}-b7ad6b7169203331-01`;

test('an id that a client sends is kept, in the answer and within', async () => {
  for (const id of ['a', 'req-1.2_3:4', 'YWJj+/==', 'x'.repeat(128)]) {
    const answer = await ask(plain, '/who/1', { 'x-request-id': id });
    expect([answer.id, JSON.parse(answer.text)]).toEqual([id, { requestId: id }]);
  }
});

test('without one, or where it is long or could be taken for something else, one is made', async () => {
  const bad = [
    '',
    'x'.repeat(129),
    'x'.repeat(200_000),
    ' x'.repeat(100_000),
    'a b',
    'a"b',
    '<a>',
    'a;b',
    '%0a',
    'a,b',
    '\u00e9',
  ];
  const given = [undefined, ...bad].map((id) => ask(plain, '/who/1', id === undefined ? {} : { 'x-request-id': id }));
  const ids = (await Promise.all(given)).map(({ id }) => id);
  for (const id of ids) expect(id).toMatch(uuid);
  expect(new Set(ids).size).toBe(ids.length);
});

test('two ids of one request are none', async () => {
  const id = await new Promise((resolve, reject) => {
    const headers = ['host', 'x', 'X-Request-Id', 'a', 'X-Request-Id', 'b'];
    const request = send(`${plain.urls[0]}/who/1`, { headers }, (response) => {
      response.resume();
      resolve(response.headers['x-request-id']);
    });
    request.once('error', reject).end();
  });
  expect(id).toMatch(uuid);
});

test('every answer has one: an unknown path, a broken URL, an error', async () => {
  for (const path of ['/none', '/who/%', '/broken/1']) {
    expect((await ask(plain, path, { 'x-request-id': 'mine' })).id).toBe('mine');
  }
});

test('an error is reported with the id, and with the pattern of the path in place of its values', async () => {
  failed.length = 0;
  await ask(plain, '/broken/secret?x=secret', { 'x-request-id': 'mine', traceparent: parent });
  expect(failed).toMatchObject([{ method: 'GET', route: '/broken/{value}', identity: { id: 'mine', traceId: trace } }]);
  expect(JSON.stringify(failed)).not.toContain('secret');
});

test('without tracing, a trace that a client began is named and handed back as it came', async () => {
  const answer = await ask(plain, '/who/1', { traceparent: parent });
  expect([answer.trace, JSON.parse(answer.text)]).toEqual([parent, { requestId: answer.id, traceId: trace }]);
  for (const bad of [
    '',
    'x',
    parent.replace(/0/g, 'O'),
    `${parent}-01`,
    `01${parent.slice(2)}-${'x'.repeat(201)}`,
    `01${parent.slice(2)}-${'x'.repeat(200_000)}`,
    '0'.repeat(200_000),
    `ff${parent.slice(2)}`,
    parent.toUpperCase(),
  ]) {
    expect((await ask(plain, '/who/1', { traceparent: bad })).trace).toBeNull();
  }
  const none = `00-${'0'.repeat(32)}-b7ad6b7169203331-01`;
  expect((await ask(plain, '/who/1', { traceparent: none })).trace).toBeNull();
  expect((await ask(plain, '/who/1', { traceparent: `01${parent.slice(2)}-more` })).trace).toBe(parent);
});

test('with tracing, each request is a span with the pattern of its path, its status and no value', async () => {
  tracing.spans.length = 0;
  const { trace: own } = await ask(traced, '/who/secret?x=secret', { traceparent: parent });
  expect(own).toBe(`00-${trace}-${'b'.repeat(16)}-01`);
  await ask(traced, '/broken/secret');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(tracing.spans).toMatchObject([
    {
      name: 'GET',
      options: { serves: true, parent: { traceId: trace } },
      attributes: { 'http.route': '/who/{value}', 'http.response.status_code': 200 },
      ended: 'well',
    },
    { attributes: { 'http.route': '/broken/{value}', 'http.response.status_code': 500 }, ended: '500' },
  ]);
  expect(JSON.stringify(tracing.spans)).not.toContain('secret');
});

test('the span of a client that leaves ends too', async () => {
  tracing.spans.length = 0;
  const { port } = new URL(traced.urls[0] ?? '');
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write('POST /who/1 HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n12');
    setTimeout(() => socket.destroy(), 50);
  });
  for (let tries = 0; tracing.spans[0]?.ended === undefined && tries < 100; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(tracing.spans[0]?.ended).toBe('gone');
});
