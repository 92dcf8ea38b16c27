import { readFileSync } from 'node:fs';
import { isFault } from '#fault';
import { defaultLimits } from '#limits';
import { builtProgram } from '../../../test/support/built';
import { compileRequest, type RequestText } from './compile-request';
import { matchRoute } from './match-route';
import { RequestCompiler } from './request-compiler';

// The thread runs the built program.
builtProgram('server');
let compiler: RequestCompiler;
beforeEach(() => (compiler = new RequestCompiler()));
afterEach(() => compiler.onModuleDestroy());

const settings = { edition: 'full', dialect: 'puppetdb', limits: defaultLimits } as const;
const posted = (query: string, rest: object = {}): RequestText => ({
  match: matchRoute('')!,
  url: '/pdb/query/v4',
  body: Buffer.from(JSON.stringify({ query, ...rest })),
  settings,
});
const times = (n: number, one: (index: number) => string, between = ','): string =>
  Array.from({ length: n }, (_, index) => one(index)).join(between);
const large = times(1_000, (i) => `"v${i}"`);

/** Returns the processor time of the main thread in milliseconds. */
const busyMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6;

const path = `facts${'.a'.repeat(90)}`;
/** The largest queries that the limits allow. Each takes 30 to 430 ms to compile. */
const slowest = {
  'many escapes': `nodes { certname = "${'\\n'.repeat(980_000)}" }`,
  'many dotted names': `inventory { ${times(14_000, (i) => `facts.a${i}.b = ${i}`, ' or ')} }`,
  'names with many steps': `inventory { ${times(9_900, (i) => `${path} = ${i}`, ' or ')} }`,
  'a long path for each row of values': `inventory { [${path}, certname] in [${times(990, () => '["a","b"]')}] }`,
  'many facts': `["from","nodes",["or",${times(9_900, (i) => `["=",["fact","f${i}"],"v${i}"]`)}]]`,
  'a fact with many numbers': `["from","nodes",["in",["fact","kernel"],["array",[${times(49_000, String)}]]]]`,
  'many values with quotes': `facts { value in [${times(49_000, () => `'${'"'.repeat(36)}'`)}] }`,
};

test.each(Object.entries(slowest))('%s: the thread of the caller works less than 50 ms', async (_, query) => {
  const request = posted(query);
  // The first task starts the thread.
  await compiler.compile(posted(`nodes { certname in [${large}] }`), {});
  const before = busyMs();
  const { statements } = await compiler.compile(request, {});
  expect(busyMs() - before).toBeLessThan(50);
  expect(statements).toEqual(compileRequest(request).statements);
});

test('the thread compiles what the caller would compile', async () => {
  const requests = [
    posted(`nodes[certname] { certname in [${large}] }`, { include_total: true, origin: 'a test', timeout: 5 }),
    posted(`nodes { certname in [${large}] }`, { ast_only: true }),
    posted(`nodes { certname in [${large}] }`, { explain: 'analyze' }),
    { match: matchRoute('facts')!, url: `/x?query=["in","value",["array",[${large}]]]&format=csv`, settings },
  ];
  for (const request of requests) {
    expect(await compiler.compile(request, {})).toEqual(compileRequest(request));
  }
});

test.each([
  `nodes {\n certname in [${large}] and no_such = 1 }`,
  `nodes { certname in [${large}] and`,
  `["from","nodes",["and",["in","certname",["array",[${large}]]],["=","no_such",1]]]`,
  `inventory { ${times(30_001, (i) => `facts.a = ${i}`, ' or ')} }`,
])('passes on the fault of a large query, with its source location: %.60s', async (query) => {
  const request = posted(query);
  const fault: unknown = await compiler.compile(request, {}).catch((error: unknown) => error);
  expect.assertions(1);
  try {
    compileRequest(request);
  } catch (error) {
    if (!isFault(error)) throw error;
    const { kind, code, message, hint, details } = error;
    expect(fault).toMatchObject({
      kind,
      code,
      message,
      ...(hint && { hint }),
      ...(details !== undefined && { details }),
    });
  }
});

test('rejects at once if the client leaves, and compiles the next query', async () => {
  const leaving = new AbortController();
  const left = compiler.compile(posted(slowest['names with many steps']), { signal: leaving.signal });
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  expect((await compiler.compile(posted(`nodes { certname in [${large}] }`), {})).statements).toHaveLength(1);
});

test('rejects the current and the waiting query when the server stops', async () => {
  const first = expect(compiler.compile(posted(slowest['names with many steps']), {})).rejects.toThrow(
    'ended with code',
  );
  const second = expect(compiler.compile(posted(`nodes { certname in [${large}] }`), {})).rejects.toThrow('is closed');
  await compiler.onModuleDestroy();
  await first;
  await second;
});
