/** Tests the names of routes in metrics, traces and log lines. */
import { All, Controller, Get, Module, Post } from '@nestjs/common';
import { Fault } from '#fault';
import { noSpan, type Span, type SpanAttributes, type Tracing } from '#observe';
import type { Answer } from './answer';
import type { FailedRequest } from './fault.filter';
import { type HttpServer, openHttp } from './open-http';
import { nameOfRoute } from './route-name';

@Controller()
class ThingsController {
  @Get('things/:name/parts/:part')
  part(): string {
    return 'a part';
  }

  @Post('things')
  add(): never {
    throw new Error('broken');
  }

  @All('many/*')
  many(): string {
    return 'one of many';
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

const traced: SpanAttributes[] = [];
const span: Span = { ...noSpan, set: (attributes) => void traced.push(attributes) };
const tracing: Tracing = { on: true, start: () => span, close: async () => undefined };

let server: HttpServer;
const answers: Answer[] = [];
const failed: FailedRequest[] = [];
beforeAll(async () => {
  server = await openHttp(ThingsModule, {
    listeners: [{ host: '127.0.0.1', port: 0 }],
    maxBodyBytes: 100,
    tracing,
    authorize: ({ headers }) => {
      if (headers['x-stranger'] !== undefined) throw new Fault('forbidden', 'access.role', 'no');
    },
    nameRoute: ({ url }) => (url === '/many/known/secret' ? '/many/known/{name}' : undefined),
    report: (_, request) => void failed.push(request),
    onAnswer: (answer) => void answers.push(answer),
  });
});
afterAll(() => server.close());

async function ask(path: string, init: RequestInit = {}): Promise<Partial<Answer> & { traced: unknown }> {
  traced.length = 0;
  answers.length = 0;
  await (await fetch(server.urls[0] + path, init)).text();
  while (answers.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const { route, status, code } = answers[0]!;
  const found = traced.flatMap((attributes) => attributes['http.route'] ?? []);
  return { route, status, traced: found, ...(code && { code }) };
}

const named = (route: string, status: number, more: object = {}): object => ({
  route,
  status,
  traced: [route],
  ...more,
});

test('the name of a route has variables in braces, and no asterisk at its end', () => {
  expect(['/a/:b/c/:dEf', '/pdb/query/v4/*', '/*', '/', ''].map(nameOfRoute)).toEqual([
    '/a/{b}/c/{dEf}',
    '/pdb/query/v4',
    '/',
    '/',
    '/',
  ]);
});

test('an answer and its span have the same name, whoever gave the answer', async () => {
  const stranger = { headers: { 'x-stranger': '1' } };
  expect(await ask('/things/secret/parts/secret')).toEqual(named('/things/{name}/parts/{part}', 200));
  // The service refuses the request before it reads the body.
  expect(await ask('/things/secret/parts/secret', stranger)).toEqual(
    named('/things/{name}/parts/{part}', 403, { code: 'access.role' }),
  );
  expect(await ask('/things', { method: 'POST', body: 'x'.repeat(200) })).toMatchObject(named('/things', 413));
  expect(await ask('/things', { method: 'POST' })).toEqual(named('/things', 500, { code: 'http.broken' }));
  expect(failed).toMatchObject([{ method: 'POST', route: '/things' }]);
});

test('a name of its own for one of the many paths of a route', async () => {
  expect(await ask('/many/known/secret')).toEqual(named('/many/known/{name}', 200));
  expect(await ask('/many/others')).toEqual(named('/many', 200));
});

test('what no route has is called other, and has no route in its trace', async () => {
  expect(await ask('/secret')).toEqual({ route: 'other', status: 404, traced: [], code: 'http.not-found' });
});
