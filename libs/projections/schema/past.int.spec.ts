/** Checks how PostgreSQL plans the functions that return the rows at a moment. */
import { ProjectionBench } from '../../../test/support/projection';
import { ownTables } from './read-tables';

let bench: ProjectionBench;
beforeAll(async () => {
  bench = await ProjectionBench.open(2);
});
afterAll(() => bench.close());

const tables = ownTables.filter(({ history }) => history !== undefined).map(({ name }) => name);

it.each(tables)('inlines %s_at, so that conditions reach the indexes', async (name) => {
  const column = ['reports', 'event_counts', 'resource_events'].includes(name) ? 'report' : 'node';
  const type = column === 'report' ? 'uuid' : 'bigint';
  const key = column === 'report' ? '00000000-0000-0000-0000-000000000001' : '1';
  const plan = await bench.db.transaction(async (session) => {
    await session.query({ text: 'SET LOCAL enable_seqscan = off', values: [] });
    return session.query<Record<string, string>>({
      text: `EXPLAIN SELECT * FROM ${bench.generation.schema}.${name}_at('{1,1}'::bigint[]) t WHERE t.${column} = '${key}'::${type}`,
      values: [],
    });
  });
  const text = plan.map((row) => Object.values(row)[0]).join('\n');
  expect(text).not.toContain('Function Scan');
  expect(text).toMatch(/Index (Only )?Cond/);
});

it('keeps the collation of every text', async () => {
  const others = await bench.rows(
    `SELECT p.proname FROM pg_proc p WHERE p.pronamespace = '{schema}'::regnamespace AND p.proname LIKE '%\\_at'
       AND (SELECT array_agg(a.attcollation ORDER BY a.attname) FROM pg_type t JOIN pg_attribute a ON a.attrelid = t.typrelid
              WHERE t.oid = p.prorettype AND a.attcollation <> 0 AND a.attcollation = 'pg_catalog."default"'::regcollation) IS NOT NULL`,
  );
  expect(others).toEqual([]);
  const [{ collation } = { collation: '' }] = await bench.rows<{ collation: string }>(
    `SELECT pg_collation_for(name) AS collation FROM {schema}.facts_at('{1,1}') UNION ALL SELECT pg_collation_for(''::text) LIMIT 1`,
  );
  expect(collation).toBeDefined();
});
