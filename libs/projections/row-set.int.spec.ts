import { arrayLiteral, Database } from '#database';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { CopyRows } from './copy-rows';
import { RowSet } from './row-set';

let fresh: FreshDatabase;
let db: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 1 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

const columns = [
  { name: 'id', type: 'int' },
  { name: 'name', type: 'text' },
  { name: 'list', type: 'text[]' },
  { name: 'value', type: 'jsonb' },
  { name: 'flag', type: 'boolean' },
];
const texts = [
  '',
  'a',
  'NULL',
  '\\N',
  '\\.',
  'tab\tline\nback\\r\r',
  '"{},\'',
  '\u0001\u0002\u001f',
  '\u00fc\u{1F600}',
];
const rows = texts.map((text, index) => ({
  id: index,
  name: index === 1 ? null : text,
  list: [text, 'null', ...texts],
  value: index === 2 ? null : { [text]: [text, index, { b: null }] },
  flag: [true, false, null][index % 3] ?? null,
}));

describe.each([
  ['INSERT', (table: string) => new RowSet(table, columns)],
  ['COPY', (table: string) => new CopyRows(table, columns)],
])('rows written by %s', (how, make) => {
  test('are those that were given, whatever characters they have', async () => {
    const table = `t_${how.toLowerCase()}`;
    await db.query({
      text: `CREATE TABLE ${table} (id int, name text, list text[], value jsonb, flag boolean)`,
      values: [],
    });
    const made = make(table);
    for (const { id, name, list, value, flag } of rows)
      made.push(id, name, arrayLiteral(list), value === null ? null : JSON.stringify(value), flag);
    await db.transaction(async (session) => {
      if (made instanceof CopyRows) await made.write(session, 'public');
      else await made.insert(session, 'public', '');
    });
    const stored = await db.query<{ value: string | null }>({ text: `SELECT * FROM ${table} ORDER BY id`, values: [] });
    const read = stored.map((row) => ({
      ...row,
      value: row.value === null ? null : (JSON.parse(row.value) as unknown),
    }));
    expect(read).toEqual(rows);
  });
});
