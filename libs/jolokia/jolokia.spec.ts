/**
 * The expected answers are those that PuppetDB 7.12.1 (Jolokia 1.7.1) gave to the same requests, except for values that
 * differ between runs.
 */
import { isFault } from '#fault';
import { defaultLimits } from '#limits';
import { Jolokia } from './jolokia';
import type { JsonValue, MBean, MBeanSource } from './mbean';
import { ObjectName } from './object-name';

function bean(name: string, values: Record<string, readonly [type: string, value: JsonValue]>, alias?: string): MBean {
  return {
    name: ObjectName.parse(name),
    ...(alias !== undefined && { alias: ObjectName.parse(alias) }),
    className: 'a.Class',
    description: 'About it',
    attributes: new Map(
      Object.entries(values).map(([key, [type, value]]) => [key, { type, description: key, read: () => value }]),
    ),
  };
}

const heap = { init: 1, committed: 2, max: 4, used: 3 };
const beans = [
  bean('java.lang:type=Memory', {
    HeapMemoryUsage: ['composite', heap],
    NonHeapMemoryUsage: ['composite', { ...heap, used: 5 }],
    Verbose: ['boolean', false],
  }),
  bean('p.pop:name=num-nodes', { Value: ['java.lang.Object', 3] }, 'neutral.pop:name=num-nodes'),
  bean('p.pop:name=num-resources', { Value: ['java.lang.Object', 801] }),
  bean('p.http:name=/pdb/query.200', { Count: ['long', 26], RateUnit: ['java.lang.String', 'events/second'] }),
];
const source: MBeanSource = {
  all: () => beans,
  find: (name) => beans.find((one) => String(one.name) === name || String(one.alias) === name),
};
const make = (metricBeans = 100): Jolokia =>
  new Jolokia({
    source,
    limits: { ...defaultLimits, metricBeans },
    info: { product: 'x', vendor: 'y', version: '1' },
    clock: () => 1_795_313_838_999,
  });

const get = (path: string, jolokia = make()): Promise<JsonValue> => {
  const [below = '', query = ''] = path.split('?');
  return jolokia.get(below, new URLSearchParams(query));
};
const post = (body: unknown, jolokia = make()): Promise<JsonValue> =>
  jolokia.post(typeof body === 'string' ? body : JSON.stringify(body), new URLSearchParams());

const good = (request: JsonValue, value: JsonValue): JsonValue => ({
  request,
  value,
  timestamp: 1_795_313_838,
  status: 200,
});
const illegal = (text: string) => ({
  error_type: 'java.lang.IllegalArgumentException',
  error: `java.lang.IllegalArgumentException : ${text}`,
  status: 400,
});
const missing = (text: string) => ({
  error_type: 'javax.management.InstanceNotFoundException',
  error: `javax.management.InstanceNotFoundException : ${text}`,
  status: 404,
});
const noAttribute = (name: string) => ({
  error_type: 'javax.management.AttributeNotFoundException',
  error: `javax.management.AttributeNotFoundException : No such attribute: ${name}`,
  status: 404,
});
const refused = (text: string) => ({
  error_type: 'java.lang.Exception',
  error: `java.lang.Exception : ${text}`,
  status: 403,
});

const nodes = 'p.pop:name=num-nodes';
const memory = 'java.lang:type=Memory';
const read = (mbean: string, attribute?: JsonValue, path?: string) => ({
  ...(path !== undefined && { path }),
  mbean,
  ...(attribute !== undefined && { attribute }),
  type: 'read',
});

test.each<[path: string, answer: JsonValue]>([
  [`read/${nodes}`, good(read(nodes), { Value: 3 })],
  [`read/${nodes}/Value`, good(read(nodes, 'Value'), 3)],
  [`read/${nodes}/Value/`, good(read(nodes, 'Value'), 3)],
  [`read/neutral.pop:name=num-nodes/Value`, good(read('neutral.pop:name=num-nodes', 'Value'), 3)],
  [`read/${nodes}/Nope`, { request: read(nodes, 'Nope'), ...noAttribute('Nope') }],
  [`read/${nodes}/Value,Nope`, { request: read(nodes, ['Value', 'Nope']), ...noAttribute('Nope') }],
  [
    `read/${nodes}/Value,Nope?ignoreErrors=true`,
    good(read(nodes, ['Value', 'Nope']), {
      Value: 3,
      Nope: 'ERROR: No such attribute: Nope (class javax.management.AttributeNotFoundException)',
    }),
  ],
  [
    'read/p.pop:*',
    good(read('p.pop:*'), { 'p.pop:name=num-nodes': { Value: 3 }, 'p.pop:name=num-resources': { Value: 801 } }),
  ],
  ['read/*:name=num-nodes/Value', good(read('*:name=num-nodes', 'Value'), { [nodes]: { Value: 3 } })],
  ['read/neutral.*:*', good(read('neutral.*:*'), { 'neutral.pop:name=num-nodes': { Value: 3 } })],
  [
    'read/*:name=num-*/Value,Nope',
    good(read('*:name=num-*', ['Value', 'Nope']), {
      [nodes]: { Value: 3 },
      'p.pop:name=num-resources': { Value: 801 },
    }),
  ],
  [
    'read/p.pop:name=*/Nope',
    {
      request: read('p.pop:name=*', 'Nope'),
      ...illegal(`No matching attributes [Nope] found on MBeans [${nodes}, p.pop:name=num-resources]`),
    },
  ],
  ['read/nope:*', { request: read('nope:*'), ...missing('No MBean with pattern nope:* found for reading attributes') }],
  ['read/nope:name=x', { request: read('nope:name=x'), ...missing('nope:name=x') }],
  ['read/nope', illegal('Invalid object name. Key properties cannot be empty')],
  ['read', illegal('Invalid arguments in pathinfo /read for command READ')],
  [`read/${memory}/HeapMemoryUsage/used`, good(read(memory, 'HeapMemoryUsage', 'used'), 3)],
  [`read/${memory}/HeapMemoryUsage/used/x`, good(read(memory, 'HeapMemoryUsage', 'used/x'), null)],
  [`read/${memory}/HeapMemoryUsage/u!!x`, good(read(memory, 'HeapMemoryUsage', 'u!!x'), null)],
  [`read/${memory}/HeapMemoryUsage/constructor`, good(read(memory, 'HeapMemoryUsage', 'constructor'), null)],
  [
    `read/${memory}/HeapMemoryUsage?maxDepth=1`,
    good(read(memory, 'HeapMemoryUsage'), { init: '1', committed: '2', max: '4', used: '3' }),
  ],
  [
    `read/${memory}?maxDepth=x`,
    {
      error_type: 'java.lang.NumberFormatException',
      error: 'java.lang.NumberFormatException : For input string: "x"',
      status: 400,
    },
  ],
  ['read/p.http:name=!/pdb!/query.200/Count', good(read('p.http:name=/pdb/query.200', 'Count'), 26)],
  ['?p=read/java.lang:type=Memory/Verbose', good(read(memory, 'Verbose'), false)],
  [
    'search/p.*:*',
    good({ mbean: 'p.*:*', type: 'search' }, [nodes, 'p.pop:name=num-resources', 'p.http:name=/pdb/query.200']),
  ],
  ['search/nope:*', good({ mbean: 'nope:*', type: 'search' }, [])],
  ['search', illegal('Invalid arguments in pathinfo /search for command SEARCH')],
  [
    'exec/java.lang:type=Memory/gc',
    {
      request: { mbean: memory, type: 'exec', operation: 'gc' },
      ...refused('Operation gc forbidden for MBean java.lang:type=Memory'),
    },
  ],
  [
    'write/java.lang:type=Memory/Verbose/true',
    {
      request: { mbean: memory, attribute: 'Verbose', type: 'write', value: 'true' },
      ...refused('Writing attribute Verbose forbidden for MBean java.lang:type=Memory'),
    },
  ],
  ['notification/list', illegal("No type with name 'notification' exists")],
  ['list/nope', good({ path: 'nope', type: 'list' }, {})],
  [
    'list/p.pop/name=num-nodes/attr',
    good(
      { path: 'p.pop/name=num-nodes/attr', type: 'list' },
      { Value: { rw: false, type: 'java.lang.Object', desc: 'Value' } },
    ),
  ],
  [
    'list/p.http/name=!/pdb!/query.200/attr/Count',
    good({ path: 'p.http/name=!/pdb!/query.200/attr/Count', type: 'list' }, { rw: false, type: 'long', desc: 'Count' }),
  ],
  [
    'list/p.pop/name=num-nodes/attr/Nope',
    {
      request: { path: 'p.pop/name=num-nodes/attr/Nope', type: 'list' },
      ...illegal('Path given but extracted value is empty'),
    },
  ],
  [
    'list/p.pop/name=nope',
    { request: { path: 'p.pop/name=nope', type: 'list' }, ...illegal("No MBean 'p.pop:name=nope' found") },
  ],
  ['list?maxDepth=1', good({ type: 'list' }, { 'java.lang': '1', 'p.pop': '1', 'p.http': '1' })],
  ['list/p.http?maxDepth=1', good({ path: 'p.http', type: 'list' }, { 'name=/pdb/query.200': '1' })],
  [
    'list/java.lang/type=Memory?maxDepth=1',
    good({ path: 'java.lang/type=Memory', type: 'list' }, { op: '1', attr: '1', class: 'a.Class', desc: 'About it' }),
  ],
])('GET %s', async (path, answer) => {
  expect(await get(path)).toEqual(answer);
});

test('the whole list has each MBean under its own name', async () => {
  const { value } = (await get('list')) as { value: Record<string, Record<string, unknown>> };
  expect(Object.entries(value).map(([domain, list]) => [domain, Object.keys(list)])).toEqual([
    ['java.lang', ['type=Memory']],
    ['p.pop', ['name=num-nodes', 'name=num-resources']],
    ['p.http', ['name=/pdb/query.200']],
  ]);
  expect(await get('list/neutral.pop')).toMatchObject({ value: { 'name=num-nodes': { class: 'a.Class' } } });
});

test('version, also without a path', async () => {
  expect(await get('version')).toMatchObject({
    request: { type: 'version' },
    value: { agent: '1.7.1', protocol: '7.2' },
  });
  expect(await get('')).toEqual(await get('version'));
});

test('one POST with many requests: what is missing or forbidden is an item of its own', async () => {
  const answer = await post([
    { type: 'read', mbean: nodes },
    { type: 'read', mbean: 'nope:name=x' },
    { type: 'exec', mbean: memory, operation: 'gc' },
    { type: 'READ', mbean: nodes, attribute: ['Value'] },
    { type: 'read', mbean: memory, attribute: 'HeapMemoryUsage', path: 'used' },
    { type: 'read', mbean: memory, attribute: ['HeapMemoryUsage', 'NonHeapMemoryUsage'], path: '*/used' },
    { type: 'read', mbean: 'java.lang:type=*', attribute: 'HeapMemoryUsage', path: '*/*/used' },
    { type: 'read', mbean: memory, attribute: null, config: { maxDepth: 1 } },
  ]);
  expect(answer).toEqual([
    good(read(nodes), { Value: 3 }),
    { request: read('nope:name=x'), ...missing('nope:name=x') },
    {
      request: { mbean: memory, type: 'exec', operation: 'gc' },
      ...refused('Operation gc forbidden for MBean java.lang:type=Memory'),
    },
    good(read(nodes, 'Value'), { Value: 3 }),
    good(read(memory, 'HeapMemoryUsage', 'used'), 3),
    good(read(memory, ['HeapMemoryUsage', 'NonHeapMemoryUsage'], '*/used'), {
      HeapMemoryUsage: 3,
      NonHeapMemoryUsage: 5,
    }),
    good(read('java.lang:type=*', 'HeapMemoryUsage', '*/*/used'), { [memory]: { HeapMemoryUsage: 3 } }),
    good(read(memory), {
      HeapMemoryUsage: JSON.stringify(heap),
      NonHeapMemoryUsage: JSON.stringify({ ...heap, used: 5 }),
      Verbose: 'false',
    }),
  ]);
});

test.each<[body: unknown, answer: JsonValue]>([
  [{ type: 'read' }, illegal('Objectname can not be null')],
  [{ mbean: 'x:y=z' }, illegal('No type given')],
  [{ type: 'nope' }, illegal("No type with name 'nope' exists")],
  ['{', illegal('Invalid JSON request')],
  ['', illegal('Invalid JSON request')],
  ['"x"', illegal('Invalid JSON request: expected a map or a list of maps')],
  [[], []],
  [[1], illegal('Not a request within the list of requests. Expected a map')],
  [
    [
      { type: 'read', mbean: 'a:b=c' },
      { type: 'read', mbean: 'bad' },
    ],
    illegal('Invalid object name. Key properties cannot be empty'),
  ],
  [{ type: 'read', mbean: ['a:b=c'] }, illegal('Expected text for mbean')],
])('POST %j', async (body, answer) => {
  expect(await post(body)).toEqual(answer);
});

test('refuses a request that uses too many MBeans in any way', async () => {
  const jolokia = make(5);
  const code = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'answered',
      (error: unknown) => (isFault(error) ? error.code : error),
    );
  const many = (request: object, times: number): object[] => Array.from({ length: times }, () => request);
  expect(await code(post(many({ type: 'version' }, 5), jolokia))).toBe('answered');
  expect(await code(post(many({ type: 'version' }, 6), jolokia))).toBe('http.limit');
  expect(await code(post(many({ type: 'read', mbean: nodes }, 5), jolokia))).toBe('answered');
  expect(await code(post(many({ type: 'read', mbean: nodes }, 6), jolokia))).toBe('http.limit');
  expect(await code(post(many({ type: 'search', mbean: '*:*' }, 2), jolokia))).toBe('http.limit');
  expect(await code(post(many({ type: 'read', mbean: '*:*' }, 2), jolokia))).toBe('http.limit');
  expect(await code(post(many({ type: 'list' }, 2), jolokia))).toBe('http.limit');
  expect(await code(post(many({ type: 'list', path: '*' }, 2), jolokia))).not.toBe('answered');
});

test('a long list of requests lets other requests proceed', async () => {
  // The service cannot read this many MBeans in one turn of the event loop, even on a fast machine.
  const jolokia = make(20_000);
  let turns = 0;
  const other = setInterval(() => turns++, 0);
  const requests = Array.from({ length: 20_000 }, () => ({ type: 'read', mbean: nodes }));
  expect(await post(requests, jolokia)).toHaveLength(20_000);
  clearInterval(other);
  expect(turns).toBeGreaterThan(0);
});

test.each([
  'list/java.lang/constructor',
  'list/java.lang/__proto__',
  'list/java.lang/toString/attr',
  'list/java.lang/hasOwnProperty/attr/x',
])('GET %s names no MBean', async (path) => {
  expect(await get(path)).toMatchObject({ status: 400, error: expect.stringContaining('No MBean') });
});

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
test.each([
  ['{"toString":1}', 200],
  ['["true"]', 200],
  [deep, 200],
])('no value of ignoreErrors makes the service fail (%#)', async (value, status) => {
  expect(await post(`{"type":"version","config":{"ignoreErrors":${value}}}`)).toMatchObject({ status });
});

test.each([
  [deep, '[...]'],
  ['{"toString":1}', '{...}'],
  ['true', 'true'],
])('a depth that is no number is refused (%#)', async (value, shown) => {
  expect(await post(`{"type":"version","config":{"maxDepth":${value}}}`)).toEqual({
    error_type: 'java.lang.NumberFormatException',
    error: `java.lang.NumberFormatException : For input string: "${shown}"`,
    status: 400,
  });
});

test('an attribute is read once, however often a request names it', async () => {
  let [reads, lookups] = [0, 0];
  const value = { type: 'long', description: '', read: () => ++reads };
  class Counted extends Map<string, typeof value> {
    override get(name: string) {
      lookups++;
      return super.get(name);
    }
  }
  const counted = ['a:b=1', 'a:b=2'].map((name) => ({
    ...bean(name, {}),
    attributes: new Counted([['Value', value]]),
  }));
  const find = (name: string): MBean | undefined => counted.find((one) => String(one.name) === name);
  const info = { product: 'x', vendor: 'y', version: '1' };
  const jolokia = new Jolokia({ source: { all: () => counted, find }, limits: defaultLimits, info });
  const attribute = Array.from({ length: 1_000 }, () => 'Value');
  expect(await post({ type: 'read', mbean: 'a:b=1', attribute }, jolokia)).toMatchObject({ value: { Value: 1 } });
  expect(await post({ type: 'read', mbean: 'a:*', attribute }, jolokia)).toMatchObject({
    value: { 'a:b=1': { Value: 2 }, 'a:b=2': { Value: 3 } },
  });
  lookups = 0;
  const names = ['Value', ...Array.from({ length: 1_000 }, (_, at) => `none${at}`)];
  await post({ type: 'read', mbean: 'a:*', attribute: names }, jolokia);
  expect([reads, lookups]).toEqual([5, 0]);
});

test('a long domain of a list is read once, however many MBeans there are', async () => {
  const path = `${'a*'.repeat(50_000)}b`;
  const timeOver = async (count: number): Promise<number> => {
    const many = Array.from({ length: count }, (_, at) => bean(`a:b=${at}`, {}));
    const info = { product: 'x', vendor: 'y', version: '1' };
    const jolokia = new Jolokia({ source: { all: () => many, find: () => undefined }, limits: defaultLimits, info });
    const start = performance.now();
    expect(await post({ type: 'list', path }, jolokia)).toMatchObject({ value: {} });
    return performance.now() - start;
  };
  await timeOver(2);
  expect(await timeOver(200)).toBeLessThan(20 * Math.max(5, await timeOver(2)));
});

/** Returns how many milliseconds of processor time the work takes. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  return process.cpuUsage(start).user / 1_000;
}

describe('the longest, widest and deepest request takes time in proportion to its size', () => {
  const ofNames = (n: number): object => ({ type: 'read', mbean: nodes, attribute: Array.from({ length: n }, String) });
  const nested = (n: number): string => `${'{"a":['.repeat(n)}${']}'.repeat(n)}`;
  const deepest = (n: number): string => '['.repeat(n) + ']'.repeat(n);

  test.each<[string, (n: number) => Promise<unknown>]>([
    ['a path of slashes', (n) => get(`read/${nodes}/${'/'.repeat(n)}`)],
    ['a path of marks', (n) => get(`read/${nodes}/${'!'.repeat(n)}`)],
    ['a path with many parts', (n) => get(`read/${nodes}/Value/${'*/'.repeat(n)}`)],
    ['a path of a list', (n) => get(`list/${'a/'.repeat(n)}`)],
    ['a list of attributes in a path', (n) => get(`read/${nodes}/${'a,'.repeat(n)}`)],
    ['many attributes', (n) => post(ofNames(n))],
    ['many attributes that may be missing', (n) => post({ ...ofNames(n), config: { ignoreErrors: true } })],
    ['many attributes of a pattern', (n) => post({ ...ofNames(n), mbean: '*:*' })],
    ['a long inner path', (n) => post({ type: 'read', mbean: memory, path: '*/'.repeat(n) })],
    ['a long type', (n) => post({ type: 'x'.repeat(n) })],
    ['a long name', (n) => post({ type: 'read', mbean: `a:b=${'c'.repeat(n)}` })],
    [
      'a name with many properties',
      (n) => post({ type: 'read', mbean: `a:${Array.from({ length: n }, (_, i) => `k${i}=v`).join(',')}` }),
    ],
    ['a pattern of stars', (n) => post({ type: 'search', mbean: `${'*'.repeat(n)}:*` })],
    ['a pattern of question marks', (n) => post({ type: 'search', mbean: `*:name=${'?*'.repeat(n)}` })],
    ['lists in lists', (n) => post(deepest(n))],
    ['maps in a value', (n) => post(`{"type":"read","mbean":"${nodes}","arguments":${nested(n)}}`)],
    ['maps in place of an attribute', (n) => post(`{"type":"read","mbean":"${nodes}","attribute":${nested(n)}}`)],
  ])('%s', async (_, ask) => {
    await ask(2_000);
    const least = Math.max(5, await costOf(() => ask(10_000)));
    // If the size grows by a factor of 10, linear time grows by a factor of 10, and quadratic time by a factor of 100.
    expect(await costOf(() => ask(100_000))).toBeLessThan(50 * least);
  });
});
