import { collectSharedRows, deletePast, keepPast } from '#projections';
import { giveAgeLimits } from '../../../test/support/age-limits';
import { catalog, factset, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { pastName } from '../schema/past';
import { tablesWithPast } from '../schema/read-tables';
import { readPastState } from './kept-past';

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const at = (hours: number): string => new Date(start + hours * hour).toISOString();

let bench: ProjectionBench;
afterEach(() => bench.close());

/** Submits facts and a catalog that are received at this hour, with a unique value and a unique resource. */
async function run(certname: string, hours: number): Promise<void> {
  const given = { receivedAt: start + hours * hour };
  const producer_timestamp = at(hours);
  await bench.submit('replace facts', certname, {
    ...given,
    payload: factset(
      certname,
      { up: hours },
      { producer_timestamp, package_inventory: [['bash', String(hours), 'apt']] },
    ),
  });
  await bench.submit('replace catalog', certname, {
    ...given,
    payload: catalog(certname, [resource('/same'), resource(`/${hours}`)], [], { producer_timestamp }),
  });
}

const pastRows = async (): Promise<number> => {
  const counts = tablesWithPast.map(({ name }) => `(SELECT count(*) FROM {schema}.${pastName(name)})`);
  const [row] = await bench.rows<{ count: number }>(`SELECT (${counts.join(' + ')})::int AS count`);
  return row?.count ?? 0;
};
const valuesAt = async (offset: number): Promise<number[]> =>
  (await bench.rows<{ value: string }>(`SELECT value FROM {schema}.facts_at('{${offset}}') ORDER BY 1`)).map(
    ({ value }) => Number(value),
  );
const nodesAt = (offset: number) => bench.rows(`SELECT certname FROM {schema}.nodes_at('{${offset}}')`);
const times = () =>
  bench.rows<{ at: string; next: number }>(
    `SELECT at::text, next_offset AS next FROM {schema}.history_times ORDER BY history_times.at`,
  );
const starts = async (): Promise<number | undefined> => (await readPastState(bench.db, bench.generation)).starts.get(0);

it('ends before a time, and what no moment shows any more is deleted, with the shared rows', async () => {
  bench = await ProjectionBench.open(1);
  for (const hours of [1, 2, 3, 4]) await run('a', hours);
  await bench.settle();
  expect(await valuesAt(4)).toEqual([2]);
  expect(await collectSharedRows(bench.db, bench.generation, { pauseMs: 0 })).toBe(0);
  const before = await pastRows();

  await giveAgeLimits(bench, 1, { historyBefore: at(2.5) });
  await bench.settle();
  expect(await starts()).toBe(5);
  expect((await times()).map(({ next }) => next)).toEqual([5, 7, 9, 10]);
  expect(await valuesAt(5)).toEqual([2]);
  expect(await deletePast(bench.db, bench.generation)).toBeGreaterThan(0);
  expect(await pastRows()).toBeLessThan(before);
  expect(await valuesAt(5)).toEqual([2]);
  expect(await valuesAt(7)).toEqual([3]);
  // The package and the resource of the first hour.
  expect(await collectSharedRows(bench.db, bench.generation, { pauseMs: 0 })).toBe(2);
  expect(await deletePast(bench.db, bench.generation)).toBe(0);
});

it('knows the time of each position by the latest time that was received before it', async () => {
  bench = await ProjectionBench.open(1);
  for (const hours of [5, 3, 6]) await run('a', hours);
  await bench.settle(undefined, { batchRecords: 1 });
  const known = await times();
  expect(known.map(({ next }) => next)).toEqual([1, 5, 7]);
  expect(known.map((row) => Date.parse(row.at))).toEqual([NaN, start + 5 * hour, start + 6 * hour]);
});

it('begins when it is turned on, ends when it is turned off, and costs no rows meanwhile', async () => {
  bench = await ProjectionBench.open(1, false);
  const projecting = new AbortController();
  const projector = bench.projector().run(projecting.signal);
  const settled = async (): Promise<void> => {
    const { 0: end } = [...(await bench.log.ends()).values()];
    for (;;) {
      const [row] = await bench.rows<{ next: number }>(
        `SELECT next_offset AS next FROM nodeledger.positions WHERE generation = ${bench.generation.generation}`,
      );
      if (row?.next === end) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  for (const hours of [1, 2]) await run('a', hours);
  await settled();
  expect([await pastRows(), await times(), await starts()]).toEqual([0, [], undefined]);

  await keepPast(bench.db, bench.generation, true);
  expect(await starts()).toBe(5);
  for (const hours of [3, 4]) await run('a', hours);
  await settled();
  expect(await nodesAt(5)).toEqual([{ certname: 'a' }]);
  expect(await valuesAt(5)).toEqual([2]);
  expect(await valuesAt(7)).toEqual([3]);
  const kept = await pastRows();
  await keepPast(bench.db, bench.generation, true);
  expect([await pastRows(), await starts()]).toEqual([kept, 5]);

  await keepPast(bench.db, bench.generation, false);
  await run('a', 5);
  await settled();
  expect([await pastRows(), await times(), await starts()]).toEqual([0, [], undefined]);
  projecting.abort();
  await projector;
});

it('keeps a purged node until its past ends', async () => {
  bench = await ProjectionBench.open(1);
  await run('gone', 1);
  await bench.submit('deactivate node', 'gone', { payload: { certname: 'gone', producer_timestamp: at(2) } });
  await giveAgeLimits(bench, 1, { purge: { cutoff: at(3), most: 10 } });
  await bench.settle();
  expect(await bench.rows('SELECT FROM {schema}.nodes')).toEqual([]);
  expect(await valuesAt(4)).toEqual([1]);
  expect(await valuesAt(5)).toEqual([]);
  expect(await nodesAt(4)).toEqual([{ certname: 'gone' }]);
  expect(await deletePast(bench.db, bench.generation)).toBe(0);
  expect(await nodesAt(4)).toEqual([{ certname: 'gone' }]);
  await bench.rows(`UPDATE {schema}.history_starts SET next_offset = 5`);
  await deletePast(bench.db, bench.generation);
  expect(await pastRows()).toBe(0);
  expect(await bench.rows('SELECT FROM {schema}.known_nodes')).toEqual([]);
});
