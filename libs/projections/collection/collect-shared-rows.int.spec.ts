import { setTimeout as delay } from 'node:timers/promises';
import { holdSharedRows, raiseSharedEpoch, takeSharedRows } from '#database';
import { Seeded } from '../../../test/chaos/seeded';
import { limitNode } from '../../../test/support/age-limits';
import { catalog, factset, report, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { sharedTables } from '../schema/shared-tables';
import { collectSharedRows } from './collect-shared-rows';
import { deleteUnused, findUnused } from './unused-rows';
import { stays } from '../../../test/support/until';

let bench: ProjectionBench;
let stop: AbortController;
let projecting: Promise<void> | undefined;
beforeEach(async () => {
  bench = await ProjectionBench.open(2, false);
  stop = new AbortController();
  projecting = undefined;
});
afterEach(async () => {
  await halt();
  await bench.close();
});

/**
 * Starts a projector that caches the keys of the rows that it has stored. The projectors that `settle` starts have no
 * such cache.
 */
const project = (): void => {
  projecting = bench.projector().run(stop.signal);
};
const halt = async (): Promise<void> => {
  stop.abort();
  await projecting?.catch(() => undefined);
  stop = new AbortController();
};

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    if (await condition()) return;
    await delay(20);
  }
  throw new Error('it did not happen in time');
}
const applied = async (): Promise<void> => {
  const ends = await bench.log.ends();
  await until(async () => {
    const rows = await bench.rows<{ partition: number; next: number }>(
      `SELECT log_partition AS partition, next_offset AS next FROM nodeledger.positions WHERE generation = $1`,
      [bench.generation.generation],
    );
    return rows.every(({ partition, next }) => next >= (ends.get(partition) ?? 0));
  });
};

let clock = 0;
const later = (): string => new Date(Date.UTC(2026, 0, 1, 0, 0, (clock += 1))).toISOString();
const stored = (certname: string, titles: readonly string[]): Promise<unknown> =>
  bench.submit('replace catalog', certname, {
    payload: catalog(
      certname,
      titles.map((title) => resource(title)),
      [],
      { producer_timestamp: later() },
    ),
  });
const collect = (over = {}): Promise<number> => collectSharedRows(bench.db, bench.generation, { pauseMs: 0, ...over });
const titles = async (): Promise<string[]> =>
  (await bench.rows<{ title: string }>('SELECT title FROM {schema}.resource_contents ORDER BY 1')).map(
    ({ title }) => title,
  );
/** Returns the titles of a node's catalog as a query finds them; null if the shared row is missing. */
const catalogOf = async (certname: string): Promise<(string | null)[]> =>
  (
    await bench.rows<{ title: string | null }>(
      `SELECT r.title FROM {schema}.nodes n JOIN {schema}.catalog_resources c USING (node)
         LEFT JOIN {schema}.resource_contents r USING (content) WHERE n.certname = $1 ORDER BY 1`,
      [certname],
    )
  ).map(({ title }) => title);
const sharedCounts = async (): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { name } of sharedTables) {
    const [row] = await bench.rows<{ count: number }>(`SELECT count(*)::int AS count FROM {schema}.${name}`);
    counts[name] = row?.count ?? 0;
  }
  return counts;
};

/** Submits every kind of shared data for one node. The data contains `name`, so that it is unique. */
async function everything(certname: string, name: string): Promise<void> {
  const common = { environment: `e-${name}`, producer: `p-${name}`, producer_timestamp: later() };
  await bench.submit('replace facts', certname, {
    payload: factset(
      certname,
      { kept: 1, [`fact-${name}`]: { inner: 1 } },
      {
        ...common,
        package_inventory: [
          ['bash', '1', 'apt'],
          [name, '1', 'apt'],
        ],
      },
    ),
  });
  await bench.submit('replace catalog', certname, {
    payload: catalog(certname, [resource('/kept'), resource(`/${name}`)], [], common),
  });
  await bench.submit('store report', certname, { payload: report(certname, [], common) });
}

describe('collecting shared rows', () => {
  it('deletes those of every table that nothing refers to, keeps the others, and changes no answer', async () => {
    await everything('a', 'one');
    await everything('b', 'both');
    await bench.settle();
    const first = await sharedCounts();
    await everything('a', 'both');
    await everything('a', 'two');
    await bench.settle(undefined, { batchRecords: 1 });
    await limitNode(bench, 'a', { reportsBefore: later() });
    await bench.settle();
    const before = await bench.dump();
    // The collection deletes the environment, producer, path, content and package of 'one'.
    expect(await collect()).toBe(5);
    expect(await sharedCounts()).toEqual(first);
    expect(await bench.dump()).toEqual(before);
    expect(await collect()).toBe(0);
    const used = Object.fromEntries(sharedTables.map(({ name }) => [name, before[name]?.length]));
    expect(await sharedCounts()).toEqual(used);
  });

  it('looks at a table in portions, deletes few rows at a time, goes on where it stopped, and does only what is asked', async () => {
    const many = Array.from({ length: 4_500 }, (_, n) => `/old-${n}`);
    await stored('a', [...many, '/kept']);
    await bench.settle();
    await stored('a', ['/kept', '/new']);
    await bench.settle();
    expect(await collect({ tables: ['packages', 'fact_paths'] })).toBe(0);
    expect(await collect({ rowsAtOnce: 400, mostTransactions: 3 })).toBe(1_200);
    const stopped = AbortSignal.abort();
    expect(await collect({ signal: stopped })).toBe(0);
    expect(await collect({ rowsAtOnce: 1_000 })).toBe(3_300);
    expect(await titles()).toEqual(['/kept', '/new']);
  });

  it('lets a projector store again what it has stored before and what was collected since', async () => {
    project();
    await stored('a', ['/x', '/kept']);
    await applied();
    await stored('a', ['/y', '/kept']);
    await applied();
    expect(await collect()).toBe(1);
    await stored('b', ['/x', '/kept']);
    await applied();
    expect(await catalogOf('b')).toEqual(['/kept', '/x']);
    expect(bench.deadLetters).toEqual([]);
  });

  it('loses nothing of a batch whose shared rows were committed before it, and the rest after it', async () => {
    project();
    await stored('a', ['/a']);
    await applied();
    await bench.db.transaction(async (session) => {
      await takeSharedRows(session, bench.generation.generation, { waitMs: 10_000, statementMs: 10_000 });
      await stored('b', ['/b', '/c']);
      // The batch has committed its shared rows. Like the others, it now waits.
      await until(async () => (await titles()).length === 3);
      expect(await catalogOf('b')).toEqual([]);
      for (const table of sharedTables) {
        for await (const rows of findUnused(bench.db, bench.generation.schema, table)) {
          expect(await deleteUnused(session, bench.generation.schema, rows)).toBe(2);
        }
      }
      await raiseSharedEpoch(session, bench.generation.generation);
    });
    await applied();
    expect(await catalogOf('b')).toEqual(['/b', '/c']);
    expect(await titles()).toEqual(['/a', '/b', '/c']);
    expect(bench.deadLetters).toEqual([]);
  });

  it('takes away what a crash between the two transactions of a batch leaves, and the batch is applied afterwards', async () => {
    project();
    await stored('a', ['/a']);
    await applied();
    await bench.db.transaction(async (session) => {
      await takeSharedRows(session, bench.generation.generation, { waitMs: 10_000, statementMs: 10_000 });
      await stored('b', ['/b']);
      await until(async () => (await titles()).length === 2);
      stop.abort();
      await until(async () => {
        const ended = await session.query({
          text: `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          values: [],
        });
        return ended.length > 0;
      });
      await projecting;
    });
    expect(await collect()).toBe(1);
    expect(await titles()).toEqual(['/a']);
    await bench.settle();
    expect(await catalogOf('b')).toEqual(['/b']);
    expect(bench.deadLetters).toEqual([]);
  });

  it('waits for a batch that is being written, gives way after a while, and sees what the batch refers to', async () => {
    await stored('a', ['/a', '/b']);
    await bench.settle();
    await stored('a', ['/a']);
    await bench.settle();
    const { generation, schema } = bench.generation;
    let collecting: Promise<number> | undefined;
    await bench.db.transaction(async (session) => {
      await holdSharedRows(session, generation);
      collecting = collect({ pauseMs: 50 });
      collecting.catch(() => undefined);
      // The wait is longer than one attempt, so it begins again.
      await stays(async () => (await titles()).join() === '/a,/b', { forMs: 1_500, what: 'the shared rows' });
      await session.query({
        text: `INSERT INTO ${schema}.catalog_resources SELECT 1, content, 1 FROM ${schema}.resource_contents WHERE title = '/b'`,
        values: [],
      });
    });
    expect(await collecting).toBe(0);
    expect(await titles()).toEqual(['/a', '/b']);
  });

  it('leaves a generation alone that is not live any more, or that another release fills', async () => {
    await stored('a', ['/a']);
    await bench.settle();
    await stored('a', ['/b']);
    await bench.settle();
    const older = { ...bench.generation, projectionVersion: bench.generation.projectionVersion - 1 };
    expect(await collectSharedRows(bench.db, older)).toBe(0);
    expect(await titles()).toEqual(['/a', '/b']);
    await bench.db.query({ text: `UPDATE nodeledger.generations SET state = 'retired'`, values: [] });
    expect(await collect()).toBe(0);
    expect(await titles()).toEqual(['/a', '/b']);
    await bench.db.query({ text: `DROP SCHEMA ${bench.generation.schema} CASCADE`, values: [] });
    expect(await collect()).toBe(0);
  });

  it('runs again and again beside several projectors, and the tables are those of a replay', async () => {
    const random = new Seeded(7);
    const pool = Array.from({ length: 12 }, (_, n) => `/r${n}`);
    const nodes = ['a', 'b', 'c'];
    const pick = (): string[] => pool.filter(() => random.chance(0.15));
    const running = [bench.projector({ batchRecords: 4 }), bench.projector({ batchRecords: 3 })].map((projector) =>
      projector.run(stop.signal),
    );
    projecting = Promise.all(running).then(() => undefined);
    let over = false;
    let collected = 0;
    const collecting = (async () => {
      while (!over) {
        collected += await collect({ rowsAtOnce: 4 });
        await delay(10);
      }
    })();
    for (let n = 0; n < 100; n++) {
      const certname = random.pick(nodes);
      await stored(certname, pick());
      const values = Object.fromEntries(pick().map((name) => [name, { [name]: n }]));
      const inventory = pick().map((name) => [name, '1', 'apt']);
      await bench.submit('replace facts', certname, {
        payload: factset(certname, values, {
          environment: `e${n % 5}`,
          producer: `p${n % 7}`,
          producer_timestamp: later(),
          package_inventory: inventory,
        }),
      });
      if (n % 3 === 0) await delay(40);
    }
    await applied();
    over = true;
    await collecting;
    await halt();
    expect(collected).toBeGreaterThan(20);
    expect(bench.deadLetters).toEqual([]);
    const again = await bench.newGeneration();
    await bench.settle(again);
    expect(await bench.dump()).toEqual(await bench.dump(again));
    await collect();
    const counts = await sharedCounts();
    const dump = await bench.dump(again);
    expect(counts).toEqual(Object.fromEntries(sharedTables.map(({ name }) => [name, dump[name]?.length])));
  }, 180_000);
});
