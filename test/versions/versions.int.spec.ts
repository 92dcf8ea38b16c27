/** Tests that the order of nodeledger.version_key equals the order of the tools, which record.py records. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Database, migrateControlTables } from '#database';
import { freshDatabase, type FreshDatabase } from '../support/postgres';

type Pair = readonly [one: string, other: string, order: -1 | 0 | 1];

const recorded = JSON.parse(readFileSync(join(__dirname, 'pairs.json'), 'utf8')) as Record<string, Pair[]>;
const hasDigit = (version: string): boolean => /[0-9]/.test(version);

let fresh: FreshDatabase;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 2 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

/** Returns the order of the keys of each pair; null if one of them has no key. */
async function ordered(rule: string, pairs: readonly (readonly [string, string, ...unknown[]])[], epochs: boolean) {
  const rows = await db.query<{ order: number | null }>({
    text: `SELECT (k.one > k.other)::int - (k.one < k.other)::int AS "order" FROM (
             SELECT place, nodeledger.version_key(one, $3, $4) AS one, nodeledger.version_key(other, $3, $4) AS other
             FROM unnest($1::text[], $2::text[]) WITH ORDINALITY u (one, other, place)) k ORDER BY k.place`,
    values: [pairs.map(([one]) => one), pairs.map(([, other]) => other), rule, epochs],
  });
  return rows.map(({ order }) => order);
}

describe.each(Object.keys(recorded))('%s', (rule) => {
  test('versions have the order that the tool gives them', async () => {
    const pairs = recorded[rule]!.filter(([one, other]) => hasDigit(one) && hasDigit(other));
    expect(new Set(pairs.map(([, , order]) => order))).toEqual(new Set([-1, 0, 1]));
    const orders = await ordered(rule, pairs, true);
    const wrong = pairs.flatMap((pair, index) => (pair[2] === orders[index] ? [] : [[...pair, orders[index]]]));
    expect(wrong).toEqual([]);
  });
});

test.each([
  // From the smallest to the largest; versions on one line are equal.
  ['general', ['5.4', '5.10', '5.10.0-28-amd64', '5.10.1', '6.1.0-rc3', '6.1 6.1.0 v6.1.0.0', '6.1-1', '6.1.2']],
  ['general', ['4.18.0-372.9.1.el8.x86_64', '4.18.0-372.19.1.el8_6.x86_64', '4.18.0-425.el8.x86_64']],
  [
    'general',
    [
      '8.0.0-dev',
      '8.0.0-SNAPSHOT.2',
      '8.0.0-alpha1',
      '8.0.0-beta',
      '8.0.0-RC1',
      '8.0.0',
      '8.0.0a',
      '8.0.0-p1',
      '8.0.0.1',
    ],
  ],
  ['general', ['1.0~rc1', '1.0', '1.0^git1', '1.0.post1', '1.0.1']],
])('%s: %j', async (rule, steps) => {
  const flat = steps.flatMap((step, place) => step.split(' ').map((version) => ({ version, place })));
  const pairs = flat.flatMap((one) => flat.map((other) => [one, other] as const));
  const found = await ordered(
    rule,
    pairs.map(([one, other]) => [one.version, other.version]),
    false,
  );
  const wanted = pairs.map(([one, other]) => Math.sign(one.place - other.place));
  expect(pairs.filter((_, index) => found[index] !== wanted[index])).toEqual([]);
});

test('without epochs, only what is behind them counts', async () => {
  for (const rule of ['deb', 'rpm']) {
    expect(await ordered(rule, [['1:3.0.7-16.el9', '3.0.9']], true)).toEqual([1]);
    expect(
      await ordered(
        rule,
        [
          ['1:3.0.7-16.el9', '3.0.9'],
          ['2:1.0', '1:1.0'],
        ],
        false,
      ),
    ).toEqual([-1, 0]);
  }
});

test.each(['deb', 'rpm', 'semver', 'gem', 'python', 'general'])('%s: what is no version has no key', async (rule) => {
  const orders = await ordered(
    rule,
    [
      ['unknown', '1'],
      ['', '1'],
      [`1${'.1'.repeat(128)}`, '1'],
      [`${'1.'.repeat(127)}10`, '2'],
    ],
    true,
  );
  expect(orders).toEqual([null, null, null, -1]);
});

test.each(['deb', 'rpm', 'semver', 'gem', 'python', 'general'])('%s: no version takes long', async (rule) => {
  const worst = ['0', '.0', '-', '.', '~', 'a1', '1-', '1-.', '-a.', '1:', '_', '^', '0-'].map((piece) =>
    `1${piece.repeat(255)}`.slice(0, 256),
  );
  const started = performance.now();
  await ordered(
    rule,
    worst.flatMap((one) => Array.from({ length: 20 }, () => [one, one] as const)),
    true,
  );
  // 520 keys, because some take a millisecond.
  expect(performance.now() - started).toBeLessThan(10_000);
});
