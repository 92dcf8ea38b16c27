/** Compares the MBeans with the MBeans of a running PuppetDB 7.12.1, whose names and types are in test/metrics. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { javaBeans } from './java-beans';
import { metricTable } from './metric-table';
import { MainThreadMeters, ProjectorThreadMeters } from './thread-meters';
import { metricParts } from '../../../test/docs/metric-parts';
import { referenceDifferences } from '../../../test/metrics/reference-differences';
import { ServiceBeans } from './service-beans';
import { ServiceMeters } from './service-meters';

type Types = Readonly<Record<string, string>>;
const reference = JSON.parse(
  readFileSync(join(__dirname, '../../../test/metrics/reference-beans.json'), 'utf8'),
) as Readonly<{ kinds: Record<string, Types>; beans: Record<string, string>; java: Record<string, Types> }>;

const all: readonly (readonly [name: string, types: Types])[] = [
  ...Object.entries(reference.beans).map(([name, kind]) => [name, reference.kinds[kind] ?? {}] as const),
  ...Object.entries(reference.java),
];

const meters = new ServiceMeters();
for (const route of ['/pdb/cmd/v1', '/pdb/query/v4/nodes']) meters.http.answered({ route, status: 200, ms: 1 });
const table = metricTable({ ...metricParts, meters });
const others = javaBeans([new MainThreadMeters(), new ProjectorThreadMeters()]);
const beans = new ServiceBeans(table, 'puppetdb', others);

const isNamed = (names: readonly string[], name: string): boolean =>
  names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : one === name));
const differences = (name: string) => referenceDifferences.filter(({ beans: names }) => isNamed(names, name));
const isAbsent = (name: string): boolean => differences(name).some(({ attributes }) => attributes === undefined);

test.each(all.filter(([name]) => !isAbsent(name)))('%s', (name, types) => {
  const left = new Set(differences(name).flatMap(({ attributes = [] }) => attributes));
  const expected = Object.entries(types).filter(([attribute]) => !left.has(attribute));
  const found = beans.find(name);
  expect(found).toBeDefined();
  const ours = [...(found?.attributes ?? [])].map(([attribute, { type }]) => [attribute, type]);
  expect(ours.sort()).toEqual(expected.sort());
});

test('what is said to be absent is absent, and there in the reference', () => {
  const known = new Map(all);
  for (const { beans: names, attributes } of referenceDifferences) {
    for (const one of names) {
      const found = [...known.keys()].filter((name) => isNamed([one], name));
      expect([one, found.length > 0]).toEqual([one, true]);
      for (const name of found) {
        if (attributes === undefined) expect([name, beans.find(name)]).toEqual([name, undefined]);
        else expect(Object.keys(known.get(name) ?? {})).toEqual(expect.arrayContaining([...attributes]));
      }
    }
  }
});

test('in the dialect neutral the same MBeans are listed under names of their own, and found under both', () => {
  const neutral = new ServiceBeans(table, 'neutral', others);
  const names = [...neutral.all()].map(({ name }) => String(name));
  expect(names.filter((name) => /puppet|pdb(?!\/|[.])/i.test(name) && !name.includes('.http:'))).toEqual([]);
  expect(names).toContain('nodeledger.population:name=num-nodes');
  expect(neutral.find('puppetlabs.puppetdb.population:name=num-nodes')).toBe(
    neutral.find('nodeledger.population:name=num-nodes'),
  );
  expect(beans.find('nodeledger.database:name=ReadPool.pool.Wait')?.name.toString()).toBe(
    'puppetlabs.puppetdb.database:name=PDBReadPool.pool.Wait',
  );
});

test('every attribute can be read before anything has happened, and is a number or a text', async () => {
  const fresh = new ServiceBeans(metricTable({ ...metricParts, meters: new ServiceMeters() }), 'neutral');
  for (const { name, attributes } of fresh.all()) {
    for (const [attribute, { type, read }] of attributes) {
      const value = await read();
      const isText = type === 'java.lang.String' || String(name) === 'nodeledger.admin:name=cleaning';
      const expected = isText ? 'string' : value === null ? 'object' : 'number';
      expect([String(name), attribute, typeof value]).toEqual([String(name), attribute, expected]);
    }
  }
});

test('names of commands that clients make up get no meters of their own', () => {
  const bounded = new ServiceMeters();
  const before = bounded.commands.all().length;
  for (let one = 0; one < 100; one++) {
    bounded.appending(`made up ${one}`, one);
    bounded.appended(`made up ${one}`, one, 5, 1);
  }
  expect(
    bounded.commands
      .all()
      .slice(before)
      .map(({ labels }) => labels),
  ).toEqual([['other', '0']]);
  expect(bounded.allCommands.size.count).toBe(100);
});
