/** Applies one batch at a time, with the state that a projector keeps between batches. */
import { defaultLimits } from '#limits';
import type { LogRecord } from '#log';
import { catalog, edge, factset, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { applyBatch, type BatchContext, type BatchResult } from './batch';
import { KnownKeys } from './known-keys';

let bench: ProjectionBench;
let context: BatchContext;
beforeEach(async () => {
  bench = await ProjectionBench.open(1);
  const { db, generation } = bench;
  context = { db, generation, known: new KnownKeys(1_000), maxCommandBytes: 1 << 20, limits: defaultLimits };
});
afterEach(() => bench.close());

/** Applies the records since the last call. */
let at = 1;
beforeEach(() => (at = 1));
async function apply(over: Partial<BatchContext> = {}): Promise<BatchResult> {
  const reader = bench.log.reader(new Map([[0, at]]));
  const records: LogRecord[] = await reader.next({ maxRecords: 100, maxBytes: 1 << 20 });
  await reader.close();
  const result = await applyBatch({ ...context, ...over }, records);
  at += result.applied;
  return result;
}

const version = (certname: string, title: string, over: Record<string, unknown> = {}): Promise<unknown> =>
  bench.submit('replace catalog', certname, {
    payload: catalog(certname, [resource(title), resource('/both')], [edge(title, '/both')], over),
  });
const everything = async (certname: string, name: string): Promise<void> => {
  await version(certname, `/${name}`);
  await bench.submit('replace facts', certname, {
    payload: factset(certname, { [name]: 1 }, { package_inventory: [[name, '1', 'apt']] }),
  });
};

it('remembers the shared rows that it has stored, from its first batch on', async () => {
  await everything('a', 'one');
  await apply();
  expect(context.known.epoch).toBeDefined();
  await everything('b', 'two');
  await apply();
  const { schema } = bench.generation;
  await bench.db.query({
    text: `CREATE FUNCTION ${schema}_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'written again'; END $$`,
    values: [],
  });
  for (const table of ['environments', 'producers', 'fact_paths', 'packages', 'resource_contents']) {
    await bench.db.query({
      text: `CREATE TRIGGER refuse BEFORE INSERT ON ${schema}.${table} FOR EACH ROW EXECUTE FUNCTION ${schema}_refuse()`,
      values: [],
    });
  }
  await everything('c', 'one');
  await everything('d', 'two');
  expect(await apply()).toMatchObject({ applied: 4, deadLetters: [] });
  expect(await bench.rows('SELECT count(*)::int AS n FROM {schema}.catalog_resources')).toEqual([{ n: 8 }]);
});

it('neither reads nor writes sections of a catalog that are those of the stored one', async () => {
  await version('a', '/one');
  await apply();
  await bench.rows('DELETE FROM {schema}.catalog_resources');
  await bench.rows('DELETE FROM {schema}.catalog_edges');
  await version('a', '/one', { version: '2' });
  await apply();
  // Rows that the test has deleted are not written again.
  expect(await bench.rows('SELECT FROM {schema}.catalog_resources')).toEqual([]);
  expect(await bench.rows('SELECT FROM {schema}.catalog_edges')).toEqual([]);
  expect(await bench.rows('SELECT version FROM {schema}.catalogs')).toEqual([{ version: '2' }]);
});

it('ends after a document that takes much memory although its text is short', async () => {
  // A million path elements in 4 kB.
  const values = `{"a":${'['.repeat(900)}${'1,'.repeat(999)}1${']'.repeat(900)}}`;
  for (let n = 0; n < 2; n++) {
    const payload = JSON.stringify(factset(`n${n}`, 'HERE')).replace('"HERE"', () => values);
    await bench.submit('replace facts', `n${n}`, { payload });
  }
  const { applied, deadLetters } = await apply();
  expect(deadLetters).toEqual([]);
  expect(applied).toBe(1);
});

it('is no dead letter where the program itself fails', async () => {
  await bench.submit('replace facts', 'a', { payload: factset('a', { one: 1 }) });
  const failing = (): boolean => {
    throw new TypeError('a mistake of ours');
  };
  await expect(apply({ dropFact: failing })).rejects.toThrow('a mistake of ours');
  expect(await bench.rows('SELECT FROM nodeledger.dead_letters')).toEqual([]);
  expect(await apply()).toMatchObject({ applied: 1, deadLetters: [] });
});

it('writes dead letters down, unless its tables are only to be compared', async () => {
  await bench.submit('replace facts', 'a', { payload: '{' });
  await bench.submit('replace facts', 'b', { payload: factset('b', { one: 1 }) });
  expect((await apply({ keepDeadLetters: false })).deadLetters).toHaveLength(1);
  expect(await bench.rows('SELECT FROM nodeledger.dead_letters')).toEqual([]);
  expect(await bench.rows('SELECT certname FROM {schema}.nodes')).toEqual([{ certname: 'b' }]);
  for (const keepDeadLetters of [true, undefined]) {
    await bench.submit('replace facts', `c-${keepDeadLetters}`, { payload: '{' });
    await apply({ keepDeadLetters });
  }
  expect(await bench.rows('SELECT certname FROM nodeledger.dead_letters ORDER BY 1')).toEqual([
    { certname: 'c-true' },
    { certname: 'c-undefined' },
  ]);
});
