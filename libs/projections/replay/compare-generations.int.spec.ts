import type { Generation, Session } from '#database';
import { catalog, edge, event, factset, report, resource } from '../../../test/support/documents';
import { ProjectionBench } from '../../../test/support/projection';
import { compareGenerations, type Comparison } from './compare-generations';

let bench: ProjectionBench;
let other: Generation;

beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  for (const day of [1, 2]) await submitDay(day);
  await bench.submit('delete node', 'deleted', { version: 1, payload: { certname: 'deleted' } });
  await bench.settle();
  other = await bench.newGeneration();
  await bench.settle(other);
});
afterAll(() => bench.close());

/** Documents that change a row in every table. */
async function submitDay(day: number): Promise<void> {
  const producer_timestamp = `2026-01-0${day}T00:00:00.000Z`;
  const packages = { producer_timestamp, package_inventory: [['bash', String(day), 'apt']] };
  const facts = { os: { family: day }, many: Array.from({ length: 1_000 }, (_, n) => n), half: 1.5, none: null };
  await bench.submit('replace facts', 'a', { payload: factset('a', facts, packages) });
  await bench.submit('replace catalog', 'a', {
    payload: catalog(
      'a',
      [resource('/a'), ...(day > 1 ? [resource('/b')] : [resource('/c'), resource('/d')])],
      day > 1 ? [edge('/a', '/b')] : [],
      {
        producer_timestamp,
      },
    ),
  });
  await bench.submit('replace catalog inputs', 'a', {
    version: 1,
    payload: {
      certname: 'a',
      producer_timestamp,
      catalog_uuid: '00000000-0000-4000-8000-000000000002',
      inputs: [['hiera', 'ntp::servers']],
    },
  });
  const times = { producer_timestamp, end_time: producer_timestamp };
  await bench.submit('store report', 'a', { payload: report('a', [event('ensure'), event('mode')], times) });
}

/** Returns the differences after a change of the second generation, and then undoes the change. */
async function afterChange(change: (session: Session, schema: string) => Promise<unknown>): Promise<Comparison> {
  let found: Comparison | undefined;
  const rollback = new Error('taken back');
  await expect(
    bench.db.transaction(async (session) => {
      await change(session, other.schema);
      found = await compareGenerations(session, bench.generation, other);
      throw rollback;
    }),
  ).rejects.toBe(rollback);
  return found as Comparison;
}
const run = (session: Session, text: string): Promise<unknown> => session.query({ text, values: [] });

/**
 * Uses PostgreSQL's list of tables instead of that of the comparison. Omits three tables whose content may differ.
 * `removals` contains only removals whose rows are not deleted yet, `history_starts` where the past begins, and
 * `volatile_facts` the value of a setting.
 */
async function tables(): Promise<string[]> {
  const rows = await bench.rows<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('removals', 'history_starts', 'volatile_facts')
     ORDER BY 1`,
    [other.schema],
  );
  return rows.map(({ name }) => name);
}

test('two generations of one log are equal', async () => {
  expect(await afterChange(() => Promise.resolve())).toMatchObject({ counted: 0, differences: [] });
});

test('two generations are compared, too, where types of facts are so rare that PostgreSQL has a histogram of them', async () => {
  const compared = await afterChange(async (session, schema) => {
    // A type that no leaf has any more.
    await run(session, `INSERT INTO ${schema}.fact_path_types SELECT path, 'b' FROM ${schema}.fact_paths LIMIT 1`);
    await run(session, `ANALYZE ${schema}.fact_contents, ${schema}.fact_path_types`);
    const rare = `SELECT attname FROM pg_stats WHERE schemaname = '${schema}' AND attname = 'type' AND histogram_bounds IS NOT NULL`;
    expect(await run(session, rare)).toHaveLength(2);
  });
  expect(compared).toMatchObject({ counted: 0, differences: [] });
});

test('a row that is missing is noticed in every table', async () => {
  const all = await tables();
  expect(all.length).toBeGreaterThan(15);
  const noticed: string[] = [];
  for (const table of all) {
    const { counted, differences } = await afterChange((session, schema) =>
      run(
        session,
        `DELETE FROM ${schema}.${table} WHERE ctid IN (SELECT ctid FROM ${schema}.${table} ORDER BY ctid DESC LIMIT 1)`,
      ),
    );
    // The rows that refer to this row may not count any more either.
    expect([table, counted > 0]).toEqual([table, true]);
    if (differences.some((one) => one.table === table && one.live !== null && one.replayed === null))
      noticed.push(table);
  }
  expect(noticed).toEqual(all);
});

test('a row that is there twice is noticed, as where an index is damaged', async () => {
  const { counted, differences } = await afterChange(async (session, schema) => {
    await run(session, `ALTER TABLE ${schema}.resource_events DROP CONSTRAINT resource_events_pkey`);
    await run(
      session,
      `INSERT INTO ${schema}.resource_events SELECT * FROM ${schema}.resource_events WHERE ordinal = 1 LIMIT 1`,
    );
  });
  expect(counted).toBe(1);
  expect(differences).toMatchObject([{ table: 'resource_events', certname: 'a', live: null }]);
});

test.each(['abcdef', 'ghijkl', '123456', 'xyzxyz', 'nopqrs'])(
  'rows that exchange the values of a column are noticed (%s)',
  async (values) => {
    const { counted } = await afterChange(async (session, schema) => {
      const set = (name: string, position: string): Promise<unknown> =>
        run(session, `UPDATE ${name}.resource_events SET message = substr('${values}', ${position}, 1)`);
      await set(bench.generation.schema, 'ordinal + 1');
      await set(schema, '2 - ordinal');
    });
    expect(counted).toBeGreaterThan(1);
  },
);

test('a number that is spelled differently is noticed', async () => {
  const { counted, differences } = await afterChange((session, schema) =>
    run(session, `UPDATE ${schema}.facts SET value = '1.50' WHERE name = 'half' AND value = '1.5'`),
  );
  expect(counted).toBe(1);
  expect(differences).toMatchObject([{ table: 'facts', certname: 'a' }]);
});
