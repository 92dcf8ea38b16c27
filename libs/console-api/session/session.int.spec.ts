import { until } from '../../../test/support/until';
import { type ConsoleBench, openConsoleBench } from '../testing/console-bench';

let bench: ConsoleBench;
beforeAll(async () => {
  bench = await openConsoleBench();
});
afterAll(() => bench.close());

const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  bench.ask('session', {}, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
const signIn = (token: string, headers: Record<string, string> = {}): Promise<Response> =>
  post(JSON.stringify({ token }), headers);
const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]!.split(';', 1)[0]!;
const codeOf = (answer: Response): [number, string | null] => [answer.status, answer.headers.get('x-nodeledger-error')];

it('tells who sends a token and what the token allows', async () => {
  const answer = await bench.ask(
    'me',
    {},
    { headers: { authorization: `Bearer ${await bench.token('query', 'admin')}` } },
  );
  expect([answer.status, await answer.json()]).toEqual([
    200,
    { name: 'has query admin', by: 'token', may: ['query', 'admin'], session_ends: null },
  ]);
  expect(codeOf(await bench.ask('me'))).toEqual([401, 'access.credential']);
});

it('exchanges a token for a cookie that scripts cannot read and other sites do not send', async () => {
  const answer = await signIn(await bench.token('query'));
  expect(await answer.json()).toMatchObject({ name: 'has query', by: 'token', may: ['query'] });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^nodeledger_session=nls_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
  ]);
  const me = await bench.ask('me', {}, { headers: { cookie: `other=1; ${cookieOf(answer)}` } });
  const { session_ends: ends, ...rest } = (await me.json()) as Record<string, unknown>;
  expect(rest).toEqual({ name: 'has query', by: 'token', may: ['query'] });
  const hours = (Date.parse(ends as string) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(11.9);
  expect(hours).toBeLessThan(12.1);
});

it('gives a browser behind a proxy with TLS a cookie for TLS only', async () => {
  const port = new URL((await bench.ask('me')).url).port;
  const own = await signIn(await bench.token('query'), { origin: `https://127.0.0.1:${port}` });
  expect(own.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-nodeledger_session=nls_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/),
  ]);
});

it('refuses what is no token, also the secret of a session', async () => {
  const session = cookieOf(await signIn(await bench.token('query'))).split('=')[1]!;
  for (const wrong of ['', 'nlt_wrong', session, 'x'.repeat(90_000)])
    expect(codeOf(await signIn(wrong))).toEqual([401, 'access.token']);
  const bearer = await bench.ask('me', {}, { headers: { authorization: `Bearer ${session}` } });
  expect(codeOf(bearer)).toEqual([401, 'access.token']);
});

it.each([
  ['', 400, 'query.json'],
  ['{', 400, 'query.json'],
  ['{"token":1}', 400, 'query.body'],
  ['{"token":"a","more":1}', 400, 'query.body'],
  [`{"token":"${'x'.repeat(110_000)}"}`, 413, 'http.limit'],
])('refuses the body %.20s', async (body, status, code) => {
  expect(codeOf(await post(body))).toEqual([status, code]);
});

it('lets a session change something only with a header that pages of other sites cannot send', async () => {
  const cookie = cookieOf(await signIn(await bench.token('admin')));
  const change = (headers: Record<string, string>): Promise<Response> =>
    bench.ask('summary', {}, { method: 'POST', headers });
  expect(codeOf(await change({ cookie }))).toEqual([403, 'access.session-header']);
  expect((await change({ cookie, 'x-nodeledger-console': '1' })).status).toBe(404);
  // A request with a token in a header needs no other protection, because a browser never adds this header by itself.
  expect((await change({ authorization: `Bearer ${await bench.token('admin')}` })).status).toBe(404);
});

it('ends a session when the browser signs out', async () => {
  const cookie = cookieOf(await signIn(await bench.token('query')));
  const out = await bench.ask('session', {}, { method: 'DELETE', headers: { cookie } });
  expect([out.status, out.headers.getSetCookie().every((one) => one.includes('Max-Age=0'))]).toEqual([204, true]);
  expect(codeOf(await bench.ask('me', {}, { headers: { cookie } }))).toEqual([401, 'access.session']);
});

it('ends the sessions of a token within seconds after the token was revoked', async () => {
  const secret = await bench.tokens.create({ name: 'short', roles: ['query'], expires: undefined });
  const cookie = cookieOf(await signIn(secret));
  const me = (): Promise<Response> => bench.ask('me', {}, { headers: { cookie } });
  expect((await me()).status).toBe(200);
  await bench.tokens.revoke('short', { remove: false });
  const start = performance.now();
  await until(async () => (await me()).status === 401, { what: 'the end of the session' });
  expect(performance.now() - start).toBeLessThan(5_000);
});

it('ends a session with its token, and keeps at most 50 sessions of a token', async () => {
  const secret = await bench.tokens.create({
    name: 'ends',
    roles: ['query'],
    expires: new Date(Date.now() + 3_600_000),
  });
  const cookie = cookieOf(await signIn(secret));
  const me = await bench.ask('me', {}, { headers: { cookie } });
  expect(Date.parse(((await me.json()) as { session_ends: string }).session_ends)).toBeLessThan(Date.now() + 3_601_000);
  for (let i = 0; i < 50; i++) await signIn(secret);
  const [count] = await bench.projection.rows<{ n: string }>(
    `SELECT count(*) AS n FROM nodeledger.sessions WHERE token = 'ends'`,
  );
  expect(Number(count?.n)).toBe(50);
});
