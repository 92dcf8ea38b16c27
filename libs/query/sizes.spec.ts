/**
 * Tests the cost of the largest queries before they reach PostgreSQL. Each query compiles, or is refused with the name
 * of a limit. The time grows linearly with the size of the query.
 */
import { isFault } from '#fault';
import { defaultLimits } from '#limits';
import { growth } from '../../test/support/growth';
import { readDottedName, readSteps } from './ast/dotted-name';
import { fromPlain, type AstJson } from './ast/json';
import { compileQuery, parseAst } from './compile';
import { parsePql } from './pql';

const target = { schema: 'g', edition: 'full', dialect: 'neutral' } as const;
const wide = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 1e9])) as typeof defaultLimits;

const compiled = (entity: string, ast: unknown, limits = defaultLimits): string =>
  compileQuery({ entity, ast: fromPlain(ast) }, { ...target, limits }).rows.text;

/** Compiles the query. Returns the code of a refusal, and throws any other error. */
function outcome(work: () => unknown): string {
  try {
    work();
    return 'compiled';
  } catch (error) {
    if (isFault(error) && error.kind === 'malformed') return error.code;
    throw error;
  }
}

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));

describe('readers take time in proportion to the text', () => {
  const unlimited = (text: string): string => outcome(() => parsePql(text, wide));
  test.each<[string, (size: number) => unknown]>([
    ['quotes that do not close', (size) => readDottedName(`facts.${'"a.'.repeat(size)}`)],
    ['indexes that are none', (size) => readDottedName(`facts.${'[1]'.repeat(size)}x`)],
    ['digits without an end', (size) => readDottedName(`facts.${'[1'.repeat(size)}`)],
    ['matches that do not close', (size) => readDottedName(`facts.${'match("a.'.repeat(size)}`)],
    ['matches that end elsewhere', (size) => readDottedName(`facts.${'match("a")x.'.repeat(size)}`)],
    ['steps of a fact', (size) => readSteps('a.'.repeat(size))],
    ['PQL: matches that do not close', (size) => unlimited(`nodes{facts${'.match('.repeat(size)} = 1}`)],
    ['PQL: quoted elements', (size) => unlimited(`nodes{facts${'."a"b"'.repeat(size)} = 1}`)],
    ['PQL: an open quote', (size) => unlimited(`nodes{facts.${'"a'.repeat(size)} = 1}`)],
    ['PQL: blanks', (size) => unlimited(`nodes{${' '.repeat(size)}a = 1${' '.repeat(size)}and b = 1}`)],
    ['PQL: lines before an error', (size) => unlimited(`${'\n'.repeat(size)}nodes{`)],
    ['PQL: a long list', (size) => unlimited(`nodes{a in [${'1,'.repeat(size)}1]}`)],
    ['PQL: a chain', (size) => unlimited(`nodes{${'a = 1 or '.repeat(size)}b = 1}`)],
    ['PQL: a long number', (size) => unlimited(`nodes{a = ${'1'.repeat(size)}}`)],
    ['JSON: lines before an error', (size) => outcome(() => parseAst(`${'\n'.repeat(size)}[`, wide))],
    ['JSON: a long list', (size) => outcome(() => parseAst(`[${'1,'.repeat(size)}1]`, wide))],
    ['JSON: a long text', (size) => outcome(() => parseAst(`["${'\\n'.repeat(size)}"]`, wide))],
  ])('%s', (_, work) => {
    expect(growth((size) => work(size), 1_500)).toBeLessThan(45);
  });
});

describe('wide queries compile in time in proportion to their size, or are refused', () => {
  const certnames = (count: number): unknown[] => many(count, (index) => ['=', 'certname', `host${index}`]);
  const cases: [string, string, (size: number) => unknown][] = [
    ['names', 'nodes', (size) => ['or', ...certnames(size)]],
    ['names that are not meant', 'nodes', (size) => ['and', ...certnames(size).map((one) => ['not', one])]],
    ['expressions', 'nodes', (size) => ['or', ...many(size, (index) => ['~', 'certname', `host${index}`])]],
    ['facts', 'nodes', (size) => ['or', ...many(size, (index) => ['=', ['fact', `f${index}`], index])]],
    ['facts together', 'nodes', (size) => ['and', ...many(size, (index) => ['=', ['fact', `f${index}`], index])]],
    ['dotted names', 'inventory', (size) => ['or', ...many(size, (index) => ['=', `facts.a.${index}.b`, index])]],
    ['rows', 'nodes', (size) => ['in', 'certname', ['array', many(size, (index) => `host${index}`)]]],
    ['rows of a fact', 'nodes', (size) => ['in', ['fact', 'a'], ['array', many(size, (index) => index)]]],
    ['rows of events', 'events', (size) => ['in', 'new_value', ['array', many(size, (index) => index)]]],
    ['paths', 'fact_contents', (size) => ['in', 'path', ['array', many(size, (index) => ['a', index])]]],
    ['values', 'facts', (size) => ['in', 'value', ['array', many(size, (index) => index)]]],
    [
      'rows of two columns',
      'facts',
      (size) => ['in', ['certname', 'name'], ['array', many(size, (index) => [`host${index}`, 'a'])]],
    ],
    ['columns', 'nodes', (size) => ['extract', many(size, () => 'certname')]],
    ['unknown columns', 'nodes', (size) => ['extract', many(size, (index) => `no${index}`)]],
    [
      'functions',
      'nodes',
      (size) => ['extract', many(size, (index) => ['function', index % 2 === 0 ? 'min' : 'max', 'certname'])],
    ],
    [
      'groups',
      'nodes',
      (size) => ['extract', [['function', 'count'], 'certname'], ['group_by', ...many(size, () => 'certname')]],
    ],
    ['columns that are compared', 'nodes', (size) => ['in', many(size, () => 'certname'), ['from', 'facts']]],
    ['columns of rows', 'nodes', (size) => ['in', many(size, () => 'certname'), ['array', [many(size, () => 'a')]]]],
    ['sub-queries', 'nodes', (size) => ['or', ...many(size, () => ['subquery', 'facts', ['=', 'name', 'a']])]],
    ['path expressions', 'fact_contents', (size) => ['~>', 'path', many(size, () => 'a')]],
    ['a long path', 'fact_contents', (size) => ['=', 'path', many(size, () => 'a')]],
    ['a large value', 'facts', (size) => ['=', 'value', many(size, () => 'a')]],
    ['a field of versions', 'nodes', (size) => ['<', ['function', 'version', ['fact', 'a.0'.repeat(size)]], '1']],
    ['a long expression', 'nodes', (size) => ['~', 'certname', 'a'.repeat(size)]],
    ['a long expression without case', 'nodes', (size) => ['~*', 'certname', 'a'.repeat(size)]],
    ['a long relative time', 'nodes', (size) => ['<', 'report_timestamp', `${' '.repeat(size)}2 h ago`]],
    ['a long value', 'nodes', (size) => ['=', 'certname', 'a'.repeat(size)]],
    ['a long name', 'nodes', (size) => ['=', 'a'.repeat(size), 'a']],
    ['a long path of a fact', 'nodes', (size) => ['=', ['fact', 'a.0'.repeat(size)], 'a']],
    ['tags', 'resources', (size) => ['or', ...many(size, (index) => ['=', 'tag', `t${index}`])]],
    ['parameters', 'resources', (size) => ['or', ...many(size, (index) => ['=', ['parameter', 'a'], index])]],
  ];

  test.each(cases)('%s', (_, entity, query) => {
    const asts = new Map<number, AstJson>();
    const ast = (size: number): AstJson => {
      if (!asts.has(size)) asts.set(size, fromPlain(query(size)));
      return asts.get(size)!;
    };
    const limited = (size: number): string =>
      outcome(() => compileQuery({ entity, ast: ast(size) }, { ...target, limits: defaultLimits }));
    expect(limited(10)).toMatch(/^(compiled|query\.(field|value|path|shape))$/);
    expect(limited(20_000)).toMatch(/^(compiled|query\.\S+)$/);
    // Without limits, the time grows linearly with each part of the query.
    const unlimited = (size: number): void => {
      outcome(() => compileQuery({ entity, ast: ast(size) }, { ...target, limits: wide }));
    };
    expect(growth(unlimited, 300)).toBeLessThan(45);
  });

  test('order_by', () => {
    const orderBy = (size: number) => many(size, () => ({ field: 'certname', order: 'asc' as const }));
    const work = (size: number, limits = defaultLimits): string =>
      outcome(() => compileQuery({ entity: 'nodes', paging: { orderBy: orderBy(size) } }, { ...target, limits }));
    expect(work(10)).toBe('compiled');
    expect(work(20_000)).toBe('query.limit');
    expect(growth((size) => work(size, wide), 300)).toBeLessThan(45);
  });

  test('functions in order_by', () => {
    const terms = (size: number) => many(size, () => ['function', 'count', 'certname']);
    const ast = (size: number): AstJson =>
      fromPlain(['from', 'nodes', ['extract', [['function', 'count']]], ['order_by', terms(size)]]);
    const work = (query: AstJson, limits = defaultLimits): string =>
      outcome(() => compileQuery({ ast: query }, { ...target, limits }));
    expect(work(ast(10))).toBe('compiled');
    expect(work(ast(501))).toBe('query.limit');
    const asts = new Map([300, 3_000].map((size) => [size, ast(size)]));
    expect(growth((size) => work(asts.get(size) ?? ast(size), wide), 300)).toBeLessThan(45);
  });
});

test('comparisons that nothing joins are counted before anything is looked up for them', () => {
  const limits = { ...defaultLimits, queryConditions: 10 };
  // The unknown field shows which check comes first. Below the limit, the compiler refuses its name.
  const rows = (count: number): unknown => [
    'in',
    ['certname', 'no_such'],
    ['array', many(count, (n) => [`h${n}`, 'x'])],
  ];
  expect(() => compiled('nodes', rows(5), limits)).toThrow('no_such');
  expect(() => compiled('nodes', rows(6), limits)).toThrow('12 comparisons');
  expect(() => compiled('nodes', ['or', rows(3), ['not', rows(3)]], limits)).toThrow('12 comparisons');
  const equals = (count: number): unknown => ['and', ...many(count, (n) => ['=', 'no_such', `${n}`])];
  expect(() => compiled('nodes', equals(10), limits)).toThrow('no_such');
  expect(() => compiled('nodes', equals(11), limits)).toThrow('11 comparisons');
  const matches = (count: number): unknown => ['or', ...many(count, (n) => ['~', 'no_such', `${n}`])];
  expect(() => compiled('nodes', matches(10), limits)).toThrow('no_such');
  expect(() => compiled('nodes', matches(11), limits)).toThrow('11 comparisons');
  const version = ['<', ['function', 'version', 'no_such'], '1'];
  const versions = (count: number): AstJson => fromPlain(['and', ...many(count, () => ['or', version])]);
  const fifty = { ...defaultLimits, queryConditions: 500 };
  expect(() => compileQuery({ entity: 'nodes', ast: versions(10) }, { ...target, limits: fifty })).toThrow('no_such');
  expect(() => compileQuery({ entity: 'nodes', ast: versions(11) }, { ...target, limits: fifty })).toThrow(
    '550 comparisons',
  );
  const nulls = [
    'in',
    [
      ['fact', 'a'],
      ['fact', 'b'],
    ],
    ['array', many(100, () => [null, null])],
  ];
  expect(outcome(() => compiled('nodes', nulls, limits))).toBe('compiled');
  const alternatives = ['or', ...many(100, (n) => ['=', 'certname', `h${n}`])];
  expect(compiled('nodes', alternatives, limits)).toContain('= ANY');
});

test('digits in the path of a fact do not multiply the work', () => {
  const path = (digits: number): string => `a${'.0'.repeat(digits)}`;
  const text = (digits: number): string => compiled('nodes', ['=', ['fact', path(digits)], 1]);
  expect(text(3)).toContain('fact_contents');
  expect(text(4)).not.toContain('fact_contents');
  expect(text(24).length).toBeLessThan(2 * text(4).length);
});

test('the default limits admit 50,000 names in a list and refuse 15,000 alternatives', () => {
  const outcomeOf = (ast: unknown): string => outcome(() => compiled('nodes', parseAst(JSON.stringify(ast))));
  expect(outcomeOf(['in', 'certname', ['array', many(50_000, (n) => `host${n}`)]])).toBe('compiled');
  const names = (count: number): unknown => ['or', ...many(count, (n) => ['=', 'certname', `host${n}`])];
  expect([outcomeOf(names(14_000)), outcomeOf(names(15_000))]).toEqual(['compiled', 'query.limit']);
});

test.each([
  ['every escape', String.raw`\" \\ \/ \b \f \n \r \t \u00e9 \uD83D\uDE00`],
  ['escapes next to each other', String.raw`\\n\n\\`],
])('PQL reads %s as JSON does', (_, text) => {
  expect(parsePql(`nodes{certname = "${text}"}`)).toEqual([
    'from',
    'nodes',
    ['=', 'certname', JSON.parse(`"${text}"`)],
  ]);
});
