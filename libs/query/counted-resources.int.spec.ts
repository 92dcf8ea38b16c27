/** Compares the stored counts of each node's resources with counts of the resources themselves. */
import { catalog, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { type CompileTarget, compileQuery } from './compile';
import { parsePql } from './pql';

let bench: ProjectionBench;
let target: CompileTarget;

const submit = (certname: string, resources: unknown[], over: Record<string, unknown> = {}): Promise<unknown> =>
  bench.submit('replace catalog', certname, { payload: catalog(certname, resources, [], over) });
const typed = (type: string, title: string): unknown => resource(title, { type });

beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  target = { schema: bench.generation.schema, edition: 'full', dialect: 'neutral' };
  await submit('a', [typed('File', '/a'), typed('File', '/b'), typed('User', 'root')]);
  await submit('b', [typed('File', '/a'), typed('Class', 'main')], { environment: 'staging' });
  await submit('off', [typed('File', '/a'), typed('Host', 'off')]);
  await submit('empty', []);
  await submit('gone', [typed('Mount', '/')]);
  await bench.settle();
  const producer_timestamp = '2026-02-01T00:00:00.000Z';
  await submit('a', [typed('File', '/a'), typed('User', 'root'), typed('User', 'www'), typed('Group', 'www')], {
    producer_timestamp,
  });
  await bench.submit('deactivate node', 'off', { payload: { certname: 'off', producer_timestamp } });
  await bench.submit('delete node', 'gone', { version: 1, payload: { certname: 'gone' } });
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
});
afterAll(() => bench.close());

const sqlOf = (pql: string) => compileQuery({ ast: parsePql(pql), pql }, target).rows;

async function rowsOf(pql: string): Promise<unknown[]> {
  const rows = await bench.db.query<{ row: string }>(sqlOf(pql));
  return rows.map(({ row }): unknown => JSON.parse(row));
}
const sorted = (rows: unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

test.each<[columns: string, condition: string, rest: string]>([
  ['type, count()', '', 'group by type'],
  ['type, certname, count()', '', 'group by type, certname'],
  ['count(), environment', '', 'group by environment'],
  ['count()', '', ''],
  ['count()', 'type = "Nothing"', ''],
  ['type', '', 'group by type'],
  ['distinct type', '', ''],
  ['type', '', 'group by type having count() > 1'],
  ['type, count()', '', 'group by type having count() = 1'],
  ['type, count()', 'node_state = "any"', 'group by type'],
  ['type, count()', 'type ~ "^[FU]" and !(certname = "b")', 'group by type'],
  ['type, count()', 'type in ["File", "User"]', 'group by type'],
  ['certname, count()', 'nodes { certname = "a" }', 'group by certname'],
  ['type, count()', 'certname in catalogs[certname] { environment = "staging" }', 'group by type'],
])('resources[%s] { %s %s }', async (columns, condition, rest) => {
  const counted = `resources[${columns}] { ${condition} ${rest} }`;
  expect(sqlOf(counted).text).toContain('catalog_types');
  const read = `resources[${columns}] { ${['title ~ ""', condition].filter(Boolean).join(' and ')} ${rest} }`;
  expect(sqlOf(read).text).not.toContain('catalog_types');
  const rows = await rowsOf(counted);
  expect(sorted(rows)).toEqual(sorted(await rowsOf(read)));
  if (rest !== '') expect(rows.length).toBeGreaterThan(0);
});

test('groups have the order and the page that the query asks for', async () => {
  const ordered = 'resources[type, count()] { group by type order by count() desc, type limit 2 offset 1 }';
  expect(await rowsOf(ordered)).toEqual([
    { type: 'User', count: 2 },
    { type: 'Class', count: 1 },
  ]);
});

test.each([
  'resources[type, title] { group by type, title }',
  'resources[type, count(file)] { group by type }',
  'resources[type] { group by type having count(file) > 0 }',
  'resources[type, count()] { exported = false group by type }',
  'resources[type, count()] { parameters.ensure = "present" group by type }',
  'resources[type] { }',
])('%s reads the resources', (pql) => {
  expect(sqlOf(pql).text).not.toContain('catalog_types');
});

test('each node that has a catalog has the counts of its catalog', async () => {
  const kept = await bench.rows(
    `SELECT node::text, u.type, u.count FROM {schema}.catalog_types t, unnest(t.types, t.counts) u (type, count) ORDER BY 1, 2`,
  );
  const counted = await bench.rows(
    `SELECT node::text, type, count(*)::int FROM {schema}.catalog_resources JOIN {schema}.resource_contents USING (content)
       GROUP BY 1, 2 ORDER BY 1, 2`,
  );
  expect(kept).toEqual(counted);
  expect(kept).toHaveLength(7);
});
