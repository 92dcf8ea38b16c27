import { deletePast, findDue, keepPast, verify } from '#projections';
import { defaultLimits } from '#limits';
import { giveAgeLimits } from '../../../test/support/age-limits';
import { catalog, edge, factset, report, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { partitionOf } from '#log';
import { deletionsKeptMs } from './maintenance-entries';

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const at = (hours: number): string => new Date(start + hours * hour).toISOString();

let bench: ProjectionBench;
afterEach(() => bench.close());

const submit = (command: string, hours: number, payload: unknown, certname = 'a', version?: number) =>
  bench.submit(command, certname, { payload, receivedAt: start + hours * hour, ...(version && { version }) });
const facts = (hours: number, values: unknown, over: Record<string, unknown> = {}, certname = 'a') =>
  submit('replace facts', hours, factset(certname, values, { producer_timestamp: at(hours), ...over }), certname);
const files = (hours: number, resources: unknown[], edges: unknown[] = [], over: Record<string, unknown> = {}) =>
  submit('replace catalog', hours, catalog('a', resources, edges, { producer_timestamp: at(hours), ...over }));

interface Entry {
  readonly kind: string;
  readonly offset: number;
  readonly counts: readonly number[];
}
const entries = (): Promise<Entry[]> =>
  bench.rows<Entry>(
    `SELECT kind, log_offset AS "offset", ARRAY[added, changed, removed] AS counts FROM {schema}.timeline ORDER BY log_offset, kind`,
  );
const kept = async (): Promise<string[]> =>
  (await bench.rows<{ certname: string }>('SELECT certname FROM {schema}.deleted_nodes')).map(
    ({ certname }) => certname,
  );

it('has a row for each document that changed something but volatile facts', async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
  await facts(1, { os: 'debian', up: 1 }, { package_inventory: [['vim', '9', 'apt']] });
  await facts(2, { os: 'debian', up: 2 }, { package_inventory: [['vim', '9', 'apt']] });
  await facts(
    3,
    { os: 'rocky', up: 3, disks: [] },
    {
      package_inventory: [
        ['vim', '9.1', 'apt'],
        ['ssl', '3', 'apt'],
      ],
    },
  );
  await facts(4, { os: 'rocky', disks: [] }, { environment: 'test', package_inventory: [['ssl', '3', 'apt']] });
  await facts(5, { os: 'rocky' }, { environment: 'test' });
  await files(6, [resource('/a'), resource('/b')]);
  await files(7, [resource('/a'), resource('/b')], [], { version: '2' });
  await files(8, [resource('/a', { line: 8 }), resource('/c')]);
  await files(9, [resource('/a', { line: 8 }), resource('/c')], [edge('/a', '/c')]);
  await files(10, [resource('/a', { line: 8 }), resource('/c')], [edge('/a', '/c')], { code_id: 'two' });
  await bench.settle();
  expect(await entries()).toEqual([
    { kind: 'facts', offset: 1, counts: [1, 0, 0] },
    { kind: 'packages', offset: 1, counts: [1, 0, 0] },
    { kind: 'facts', offset: 3, counts: [1, 1, 0] },
    { kind: 'packages', offset: 3, counts: [1, 1, 0] },
    { kind: 'facts', offset: 4, counts: [0, 0, 0] },
    { kind: 'packages', offset: 4, counts: [0, 0, 1] },
    { kind: 'facts', offset: 5, counts: [0, 0, 1] },
    { kind: 'packages', offset: 5, counts: [0, 0, 1] },
    { kind: 'catalog', offset: 6, counts: [2, 0, 0] },
    { kind: 'catalog', offset: 8, counts: [1, 1, 1] },
    { kind: 'catalog', offset: 9, counts: [0, 0, 0] },
    { kind: 'catalog', offset: 10, counts: [0, 0, 0] },
  ]);
});

it('has no row for a first inventory without packages', async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
  await facts(1, { os: 'debian' }, { package_inventory: [] });
  await facts(2, { os: 'debian' }, { package_inventory: [['vim', '9', 'apt']] });
  await bench.settle();
  expect(await entries()).toEqual([
    { kind: 'facts', offset: 1, counts: [1, 0, 0] },
    { kind: 'packages', offset: 2, counts: [1, 0, 0] },
  ]);
});

it('has a row for each report whose status is not unchanged or differs from the one before it', async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
  const statuses = ['unchanged', 'unchanged', 'failed', 'failed', 'unchanged', 'unchanged'];
  for (const [hours, status] of statuses.entries())
    await submit('store report', hours, report('a', [], { status, producer_timestamp: at(hours) }));
  await bench.settle();
  expect((await entries()).map(({ offset }) => offset)).toEqual([1, 3, 4, 5]);
});

it('names at most 100 facts, resources and packages, and counts all', async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
  const numbers = Array.from({ length: 150 }, (_, number) => number);
  for (const version of [1, 2]) {
    const values = Object.fromEntries(numbers.map((number) => [`f${number}`, version]));
    await facts(version, values, {
      package_inventory: numbers.map((number) => [`p${number}`, String(version), 'apt']),
    });
    await files(
      version,
      numbers.map((number) => resource(`/${number}`, { line: version })),
    );
  }
  await bench.settle();
  const rows = await bench.rows<Entry & { keys: number[] }>(
    `SELECT kind, ARRAY[added, changed, removed] AS counts,
       ARRAY[cardinality(fact_keys), cardinality(package_keys), cardinality(content_keys)] AS keys
     FROM {schema}.timeline ORDER BY log_offset, kind`,
  );
  expect(rows).toEqual([
    { kind: 'facts', counts: [150, 0, 0], keys: [100, null, null] },
    { kind: 'packages', counts: [150, 0, 0], keys: [null, 100, null] },
    { kind: 'catalog', counts: [150, 0, 0], keys: [null, null, 100] },
    { kind: 'facts', counts: [0, 150, 0], keys: [100, null, null] },
    // 100 keys for the new packages or resources, and 100 keys for the old ones.
    { kind: 'packages', counts: [0, 150, 0], keys: [null, 200, null] },
    { kind: 'catalog', counts: [0, 150, 0], keys: [null, null, 200] },
  ]);
});

it('says when a node was deactivated, expired and came back, by the uuid of the command', async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
  await facts(1, {});
  await submit('deactivate node', 2, { certname: 'a', producer_timestamp: at(2) });
  await submit('deactivate node', 3, { certname: 'a', producer_timestamp: at(3) });
  await facts(4, {});
  await giveAgeLimits(bench, 1, { expiry: { cutoff: at(5), expired: at(6), most: 10 } });
  await facts(7, {});
  await bench.settle();
  expect((await entries()).map(({ kind, offset }) => [kind, offset])).toEqual([
    ['facts', 1],
    ['deactivated', 2],
    ['returned', 4],
    ['expired', 5],
    ['returned', 6],
  ]);
  const reader = bench.log.reader(new Map([[0, 1]]));
  const records = await reader.next({ maxRecords: 10, maxBytes: 1e6 });
  await reader.close();
  const named = await bench.rows<{ offset: number; uuid: string; received: number }>(
    `SELECT log_offset AS "offset", uuid, (extract(epoch FROM received_at) * 1000)::float8 AS received FROM {schema}.timeline`,
  );
  for (const { offset, uuid, received } of named)
    expect([uuid, received]).toEqual([records[offset - 1]?.uuid, records[offset - 1]?.receivedAt]);
});

it('goes with its node, of which only the name is left for a day', async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
  await facts(1, { os: 'debian' });
  await facts(1, { os: 'debian' }, {}, 'b');
  await submit('delete node', 2, { certname: 'a' }, 'a', 1);
  await bench.settle();
  expect((await entries()).map(({ offset }) => offset)).toEqual([2]);
  expect(await kept()).toEqual(['a']);
  const limitsAfter = async (ms: number): Promise<void> => {
    await bench.submit('apply age limits', '0', {
      version: 1,
      payload: { certname: '0', nodes: [{ partition: 0, partitions: 1 }] },
      receivedAt: start + 2 * hour + ms,
    });
    await bench.settle();
  };
  expect(partitionOf('0', 1)).toBe(0);
  const due = async (ms: number) =>
    (
      await findDue(bench.db, bench.generation, 1, { deletionsBefore: new Date(start + 2 * hour + ms).toISOString() })
    ).get(0);
  expect([await due(0), await due(1)]).toMatchObject([undefined, { deletions: true, history: false, expire: 0 }]);
  await limitsAfter(deletionsKeptMs);
  expect(await kept()).toEqual(['a']);
  await limitsAfter(deletionsKeptMs + 1);
  expect(await kept()).toEqual([]);
});

it('ends with the past, and stays when a node is purged', async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
  await facts(1, { os: 'debian' });
  await submit('deactivate node', 2, { certname: 'a', producer_timestamp: at(2) });
  await giveAgeLimits(bench, 1, { purge: { cutoff: at(3), most: 10 } });
  await bench.settle();
  expect(await bench.rows('SELECT FROM {schema}.nodes')).toEqual([]);
  expect((await entries()).map(({ offset }) => offset)).toEqual([1, 2]);
  await bench.rows('UPDATE {schema}.history_starts SET next_offset = 2');
  await deletePast(bench.db, bench.generation);
  expect((await entries()).map(({ offset }) => offset)).toEqual([2]);
});

it('has no rows without a past, and begins with it', async () => {
  bench = await ProjectionBench.open(1, false);
  await facts(1, { os: 'debian' });
  await submit('delete node', 2, { certname: 'b' }, 'b', 1);
  await bench.settle();
  expect([await entries(), await kept()]).toEqual([[], []]);
  await keepPast(bench.db, bench.generation, true);
  await facts(3, { os: 'rocky' });
  await submit('delete node', 4, { certname: 'b' }, 'b', 1);
  await bench.settle();
  expect([(await entries()).length, await kept()]).toEqual([1, ['b']]);
  await keepPast(bench.db, bench.generation, false);
  expect([await entries(), await kept()]).toEqual([[], []]);
});

it('is verified with the volatile facts of the live tables, whatever the settings say', async () => {
  bench = await ProjectionBench.open(1, true, ['up']);
  for (const hours of [1, 2, 3]) await facts(hours, { os: 'debian', up: hours, mem: hours });
  await bench.settle();
  const { db, log, logId } = bench;
  const signal = new AbortController().signal;
  const context = { db, log, logId, signal, maxCommandBytes: 1e6, limits: defaultLimits, volatileFacts: ['mem'] };
  expect((await verify(context)).counted).toBe(0);
  await bench.rows(`UPDATE {schema}.timeline SET changed = 2 WHERE log_offset = 2`);
  const { differences } = await verify(context);
  expect(differences.map(({ table }) => table)).toEqual(['timeline']);
});
