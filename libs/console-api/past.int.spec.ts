/** Tests that the answer of each endpoint about an earlier moment is the same as its answer at that moment. */
import { factset } from '../../test/support/documents';
import { type ConsoleBench, openConsoleBench } from './testing/console-bench';
import { submitRun, submitSmallFleet } from './testing/small-fleet';

let bench: ConsoleBench;
/** The moment before the fleet changed, in the form of the header X-Nodeledger-As-Of. */
let before: string;
const answersBefore = new Map<string, unknown>();

const endpoints: readonly (readonly [path: string, parameters: Readonly<Record<string, unknown>>])[] = [
  ['summary', {}],
  ['facets', { fields: ['status', 'environment', 'fact:os.name'] }],
  ['failures', {}],
  ['runs', { window: '24h' }],
  ['node-list', { facts: ['os.name', 'cores'], order: '-status' }],
  ['node-list', { where: { 'fact:role': ['web'] } }],
  ['package-versions', { name: 'openssl' }],
  ['fact-distribution', { path: 'os.name' }],
  ['search', { q: 'ba' }],
  ['search', { q: 'role=web' }],
];
const nameOf = ([path, parameters]: (typeof endpoints)[number]): string => `${path} ${JSON.stringify(parameters)}`;

const momentOf = async (parameters: Record<string, string>): Promise<Response> =>
  bench.ask('summary', parameters, { headers: { authorization: `Bearer ${await bench.token('query')}` } });

beforeAll(async () => {
  bench = await openConsoleBench();
  await submitSmallFleet(bench);
  before = (await momentOf({ as_of: 'now' })).headers.get('x-nodeledger-as-of') ?? '';
  for (const endpoint of endpoints)
    answersBefore.set(nameOf(endpoint), await bench.json(endpoint[0], { ...endpoint[1], as_of: before }));
  await submitRun(bench, 'good.example.com', { status: 'failed', ago: 1 });
  await submitRun(bench, 'bad1.example.com', { status: 'changed', ago: 1 });
  await submitRun(bench, 'babar.example.com', { status: 'changed', ago: 1 });
  await bench.projection.submit('replace facts', 'bad1.example.com', {
    payload: factset('bad1.example.com', { os: { name: 'Rocky' }, role: 'web', cores: 8 }, { package_inventory: [] }),
  });
  await bench.projection.submit('deactivate node', 'bad2.example.com', {
    payload: { certname: 'bad2.example.com', producer_timestamp: new Date().toISOString() },
  });
  await bench.projection.settle();
});
afterAll(async () => {
  await bench.close();
  expect(bench.reported).toEqual([]);
});

test.each(endpoints)('%s with %j', async (...endpoint) => {
  const [path, parameters] = endpoint;
  const now = await bench.json(path, parameters);
  const then = await bench.json(path, { ...parameters, as_of: before });
  expect(then).toEqual(answersBefore.get(nameOf(endpoint)));
  expect(then).not.toEqual(now);
});

it('names the moment of an answer, and refuses moments that it cannot answer about', async () => {
  const answer = await momentOf({ as_of: before });
  expect(answer.headers.get('x-nodeledger-as-of')).toBe(before);
  expect(((await answer.json()) as { at: string }).at).toBe(answer.headers.get('x-nodeledger-as-of-time'));
  expect(await bench.refusal('summary', { as_of: 'soon' })).toEqual([400, 'query.as-of', expect.any(String)]);
  expect(await bench.refusal('runs', { as_of: '2100-01-01' })).toEqual([400, 'query.as-of-future', expect.any(String)]);
});
