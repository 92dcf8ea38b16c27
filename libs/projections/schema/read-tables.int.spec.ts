/** Compares the descriptions of the read tables with the tables in PostgreSQL. */
import { documentKindOf } from '#wire';
import { ProjectionBench } from '../../../test/support/projection';
import { allTables, documentTables, ownTables, tablesOfPast, tablesWithPast } from './read-tables';
import { sharedTables } from './shared-tables';
import { pastName } from './past';

let bench: ProjectionBench;
/** The columns of each table. */
const columns = new Map<string, string[]>();
/** Each index as `table method first column`. */
const indexes = new Set<string>();
beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  const values = [bench.generation.schema];
  const tables = await bench.db.query<{ name: string; columns: string[] }>({
    text: `SELECT c.relname AS name, array_agg(a.attname::text) AS columns
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
           WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND a.attnum > 0 GROUP BY 1`,
    values,
  });
  // `past.int.spec.ts` checks what is derived from the descriptions.
  const derived = ['history_times', 'history_starts', ...tablesWithPast.map(({ name }) => pastName(name))];
  for (const table of tables) if (!derived.includes(table.name)) columns.set(table.name, table.columns);
  const found = await bench.db.query<{ index: string }>({
    text: `SELECT concat_ws(' ', c.relname, m.amname, a.attname) AS index
           FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
             JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
             JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
           WHERE n.nspname = $1`,
    values,
  });
  for (const { index } of found) indexes.add(index);
});
afterAll(() => bench.close());

const tablesWith = (...names: string[]): string[] =>
  [...columns].filter(([, has]) => names.every((name) => has.includes(name))).map(([table]) => table);
const named = (tables: readonly { readonly name: string }[]): string[] => tables.map(({ name }) => name).sort();

it('describes every table, each once', () => {
  expect(named(allTables)).toEqual([...columns.keys()].sort());
});

it('says of every table with rows of nodes or reports how they are deleted', () => {
  // `deletedBy` of `reports` is empty, because separate functions delete a report together with its rows in other
  // tables.
  const deleted = ownTables.filter(({ deletedBy, name }) => deletedBy.length > 0 || name === 'reports');
  expect(named(deleted)).toEqual([...new Set([...tablesWith('node'), ...tablesWith('report')])].sort());
  for (const { name, deletedBy } of deleted)
    expect([name, columns.get(name)]).toEqual([name, expect.arrayContaining([...deletedBy])]);
});

it('says of every table with rows of documents that a base keeps these documents', () => {
  const others = ['nodes', 'removals', ...tablesOfPast.map(({ name }) => name)];
  const withPosition = tablesWith('log_partition', 'log_offset').filter((name) => !others.includes(name));
  expect(named(documentTables)).toEqual(withPosition.sort());
  for (const { documentsOf } of documentTables)
    expect([documentsOf, documentKindOf(documentsOf)]).not.toContain(undefined);
});

it('says of every shared table who refers to it: an unknown reference would be collected', () => {
  expect(named(allTables.filter(({ shared }) => shared))).toEqual(named(sharedTables));
  const ofPast = tablesOfPast.map(({ name }) => name);
  for (const { name, key, usedBy, usedByPast, listedIn } of sharedTables) {
    // A table whose rows a foreign key deletes together with the shared row does not keep it in use.
    const withKey = ownTables.filter((table) => columns.get(table.name)?.includes(key) && !table.shownBy);
    const users = [...usedBy, ...usedByPast.filter((user) => ofPast.includes(user))];
    expect([name, users.sort()]).toEqual([name, named(withKey)]);
    for (const table of users) expect(indexes).toContain(`${table} btree ${key}`);
    expect(usedBy.length > 0).toBe(listedIn === undefined);
    if (listedIn !== undefined) expect(indexes).toContain(`${listedIn.table} gin ${listedIn.column}`);
  }
});
