/**
 * Tests how conditions become SQL. Conditions are combined if this makes the query faster. Nesting does not change the
 * SQL.
 */
import { fromPlain } from './ast/json';
import { compileQuery, parseAst } from './compile';

const ask = (entity: string, query: unknown) =>
  compileQuery({ entity, ast: fromPlain(query) }, { schema: 'g', edition: 'full', dialect: 'neutral' }).rows;
const list = <T>(size: number, make: (index: number) => T): T[] => Array.from({ length: size }, (_, n) => make(n));
const count = (text: string, part: string): number => text.split(part).length - 1;
const named = (n: number): unknown => ['=', 'certname', `n${n}`];
const not = (condition: unknown): unknown => ['not', condition];

test.each(['and', 'or'])('a chain of %s is one list, however it is nested', (operator) => {
  const statuses = list(4, (n) => ['~', 'latest_report_status', `s${n}`]);
  const flat = ask('nodes', [operator, ...statuses]);
  const nested = statuses
    .slice(0, -1)
    .reduceRight<unknown>((rest, one) => [operator.toUpperCase(), one, rest], statuses[3]);
  expect(ask('nodes', nested)).toEqual(flat);
  expect(ask('nodes', [operator, statuses[0], [operator, ...statuses.slice(1)]])).toEqual(flat);
});

test('ten conditions that are to be left out are one comparison, nine are nine', () => {
  const left = (size: number): string => ask('nodes', ['and', ...list(size, (n) => not(named(n)))]).text;
  expect([count(left(9), 'NOT ('), count(left(10), 'NOT (')]).toEqual([9, 1]);
  const mixed = ask('nodes', ['and', ['=', 'cached_catalog_status', 'x'], ...list(10, (n) => not(named(n)))]).text;
  expect([count(mixed, 'NOT ('), count(mixed, 'n.cached_catalog_status = $')]).toEqual([1, 1]);
});

test('ten facts with their values are one query, nine are nine', () => {
  const fact = (n: number): unknown => ['=', ['fact', `f${n}`], n];
  const dotted = (n: number): unknown => ['=', `facts.f${n}`, n];
  for (const [entity, one] of [
    ['nodes', fact],
    ['inventory', dotted],
  ] as const) {
    const queries = (size: number, more: unknown[] = []): number =>
      count(ask(entity, ['or', ...list(size, one), ...more]).text, '.fact_contents');
    expect([queries(9), queries(10), queries(30)]).toEqual([9, 1, 1]);
    // Other alternatives stay unchanged, and do not count as facts that are combined.
    expect(
      queries(
        5,
        list(6, (n) => ['~', 'certname', `x${n}`]),
      ),
    ).toBe(5);
    expect(queries(10, [['~', 'certname', 'x']])).toBe(1);
    expect(ask(entity, ['or', ...list(10, one), ['~', 'certname', 'x']]).text).toContain(' ~ ');
  }
});

test('the nodes of a fact and its value are found by the value first, unless there are many alternatives', () => {
  const fact = (n: number): unknown => ['and', ['=', 'name', `f${n}`], ['=', 'value', n]];
  const narrowed = (query: unknown): number => count(ask('facts', query).text, 'f.node IN (SELECT');
  expect(narrowed(fact(1))).toBe(1);
  expect(narrowed(['or', ...list(9, fact)])).toBe(9);
  expect(narrowed(['or', ...list(10, fact)])).toBe(0);
  expect(narrowed(['and', ['=', 'name', 'x'], ['in', 'value', ['array', [1, 2]]]])).toBe(0);
  expect(narrowed(['and', ['=', 'certname', 'x'], ['=', 'value', 1]])).toBe(0);
});

test('alternatives of one field are one comparison, those of others their own', () => {
  const { text } = ask('resources', [
    'or',
    ...list(5, (n) => ['=', 'line', n]),
    ...list(5, (n) => ['=', 'type', `t${n}`]),
    ['~', 'title', 'x'],
  ]);
  expect([count(text, 'rc.line ='), count(text, 'rc.type =')]).toEqual([1, 1]);
});

describe('what is hidden from the planner', () => {
  const one = (n: number): unknown => ['or', ...['a', 'b'].map((name) => ['=', 'containing_class', `${name}${n}`])];
  const text = (...members: unknown[]): string => ask('events', ['and', ...members]).text;

  test('is a part of a group that is too large, alone or beside another member', () => {
    expect(text(['and', ...list(1_200, one)])).toContain('coalesce(');
    const beside = ask('events', ['and', ['and', ...list(1_200, one)], one(1_200)]);
    expect(beside.text).toContain('coalesce(');
    expect(JSON.stringify(beside.values)).toContain('a1200');
  });

  test('is hidden together, of many groups as well', () => {
    const groups = list(300, (n) => ['and', ...list(10, (m) => one(10 * n + m))]);
    expect(count(text(...groups), 'coalesce(')).toBeLessThanOrEqual(2);
  });
});

test('what is known of a fact is asked of its value only under a negation', () => {
  const above = ['>', 'facts.x', 1];
  expect(ask('inventory', above).text).toContain('s.node IN (SELECT');
  expect(ask('inventory', not(above)).text).not.toContain('s.node IN (SELECT');
});

test('a value of a leaf is found by its hash', () => {
  expect(ask('fact-contents', ['=', 'value', 'x']).text).toContain('jsonb_hash_extended');
});

test('a package is looked for among the packages first', () => {
  expect(ask('package-inventory', ['=', 'package_name', 'bash']).text).toContain('i.packages && ARRAY(');
});

test('lists of more than a thousand JSON values are not estimated one by one', () => {
  const of = (size: number): string => ask('facts', ['in', 'value', ['array', list(size, (n) => n)]]).text;
  expect([count(of(1_000), 'unnest('), count(of(1_001), 'unnest(')]).toEqual([0, 1]);
  const texts = ask('nodes', ['in', 'latest_report_status', ['array', list(1_001, (n) => `s${n}`)]]).text;
  expect(count(texts, 'unnest(')).toBe(0);
});

test.each([
  ['inventory', '["=", "facts.x", 1e20001]'],
  ['inventory', '["=", "facts.x", {"a": [1, 1e20001]}]'],
  ['inventory', '[">", "facts.x", 1e20001]'],
  ['nodes', '["=", ["fact", "x"], 1e-20001]'],
  ['nodes', '["<", ["fact", "x"], 1e20001]'],
  ['resources', '["=", ["parameter", "x"], 1e20001]'],
  ['resources', '[">", ["parameter", "x"], 1e20001]'],
  ['facts', '["=", "value", 1e20001]'],
])('a number that PostgreSQL cannot hold is refused: %s %s', (entity, query) => {
  const request = { entity, ast: parseAst(query) };
  expect(() => compileQuery(request, { schema: 'g', edition: 'full', dialect: 'neutral' })).toThrow('is out of range');
});
