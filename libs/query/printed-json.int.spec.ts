/**
 * Tests that JSON assembled from stored texts equals the JSON that PostgreSQL's functions make from the stored values.
 */
import { catalog, edge, factset, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { type CompileTarget, compileQuery } from './compile';
import { parsePql } from './pql';

let bench: ProjectionBench;
let target: CompileTarget;

const odd = 'quote " backslash \\ tab \t line \n bell \u0007 delete \u007f accent \u00e9 \u{1f600} \u2028';
const facts = (certname: string, values: unknown, minute: number): Promise<unknown> =>
  bench.submit('replace facts', certname, {
    payload: factset(certname, values, { producer_timestamp: `2026-01-01T00:0${minute}:00.000Z` }),
  });

beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  target = { schema: bench.generation.schema, edition: 'full', dialect: 'neutral' };
  const resources = [
    resource(odd, { type: `Odd${odd}`, file: `/${odd}`, line: 3, tags: ['b::c', 'a'], exported: true }),
    resource('/plain', {
      file: undefined,
      line: undefined,
      tags: [],
      parameters: { [odd]: [odd, 1.5, null, {}], a: true },
    }),
    resource('/other', { parameters: {} }),
  ];
  const edges = [edge('/plain', '/other')];
  await bench.submit('replace catalog', 'a', { payload: catalog('a', resources, edges) });
  await bench.submit('replace catalog', 'empty', { payload: catalog('empty', [], []) });
  await facts('a', { [odd]: { [odd]: 1 }, one: { part: 'text' }, '7': 1, list: [1, 'two', null] }, 0);
  await facts('b', { one: { part: 'text' } }, 0);
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
});
afterAll(() => bench.close());

async function texts(pql: string): Promise<string[]> {
  const rows = await bench.db.query<{ row: string }>(compileQuery({ ast: parsePql(pql), pql }, target).rows);
  return rows.map(({ row }) => row).sort();
}
const built = async (select: string): Promise<string[]> =>
  (await bench.rows<{ row: string }>(select)).map(({ row }) => row).sort();

test('resources', async () => {
  expect(await texts('resources { }')).toEqual(
    await built(`SELECT json_build_object('resource', r.resource, 'certname', n.certname, 'tags', r.tags, 'exported', r.exported,
      'line', r.line, 'title', r.title, 'type', r.type, 'environment', e.name, 'file', r.file, 'parameters', r.parameters)::text AS row
      FROM {schema}.catalog_resources c JOIN {schema}.resource_contents r USING (content) JOIN {schema}.nodes n USING (node)
      JOIN {schema}.catalogs k USING (node) LEFT JOIN {schema}.environments e ON e.environment = k.environment`),
  );
  expect(await texts('resources[title, parameters] { }')).toEqual(
    await built(`SELECT json_build_object('title', r.title, 'parameters', r.parameters)::text AS row
      FROM {schema}.resource_contents r`),
  );
});

test('the parts of a catalog', async () => {
  const expected = await built(`SELECT json_build_object('resources', json_build_object(
      'href', '/pdb/query/v4/catalogs/' || n.certname || '/resources', 'data',
      (SELECT json_agg(json_build_object('resource', r.resource, 'type', r.type, 'title', r.title, 'tags', r.tags,
        'exported', r.exported, 'file', r.file, 'line', r.line, 'parameters', r.parameters))
       FROM {schema}.catalog_resources c JOIN {schema}.resource_contents r USING (content) WHERE c.node = n.node)),
    'edges', json_build_object('href', '/pdb/query/v4/catalogs/' || n.certname || '/edges', 'data',
      (SELECT json_agg(x) FROM {schema}.catalog_edges e CROSS JOIN LATERAL unnest(e.relationships, e.source_types, e.source_titles,
        e.target_types, e.target_titles) x (relationship, source_type, source_title, target_type, target_title)
       WHERE e.node = n.node)))::text AS row FROM {schema}.nodes n JOIN {schema}.catalogs k USING (node)`);
  expect(await texts('catalogs[resources, edges] { }')).toEqual(expected);
  expect(expected.some((row) => row.includes('"data" : null'))).toBe(true);
});

test('facts and their leaves', async () => {
  expect(await texts('facts[name, value] { }')).toEqual(
    await built(`SELECT json_build_object('name', f.name, 'value', coalesce(f.spelled::json, f.value::json))::text AS row
      FROM {schema}.facts f`),
  );
  expect(await texts('fact_contents[path, name, value] { }')).toEqual(
    await built(`SELECT json_build_object('path', p.elements, 'name', p.name, 'value', coalesce(c.spelled::json, c.value::json))::text
      AS row FROM {schema}.fact_contents c JOIN {schema}.fact_paths p USING (path)`),
  );
});

test('paths of facts with the types that leaves have at the moment', async () => {
  const shown = async (): Promise<string[]> => texts('fact_paths { name = "one" or name = "7" or name = "list" }');
  const list = ['integer', 'null', 'string'].map(
    (type, index) => `{"type" : "${type}", "path" : ["list", ${[0, 2, 1][index]}], "name" : "list"}`,
  );
  const one = (type: string): string => `{"type" : "${type}", "path" : ["one", "part"], "name" : "one"}`;
  expect(await shown()).toEqual([...list, one('string')].sort());
  await facts('b', { one: { part: 7 } }, 1);
  await bench.settle();
  expect(await shown()).toEqual([...list, one('integer'), one('string')].sort());
  await facts('a', { one: { part: 1.5 } }, 1);
  await bench.settle();
  expect(await shown()).toEqual([one('float'), one('integer')].sort());
});
