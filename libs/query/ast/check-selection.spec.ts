import { checkRoot, checkSelection } from './check-selection';
import { type AstJson, fromPlain } from './json';

/** Removes the members that contain the original lists of the query. */
const withoutSources = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSources);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(value).filter(
    ([name]) => !['source', 'extract', 'groupByList', 'orderByList'].includes(name),
  );
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutSources(one)]));
};
const selection = (query: unknown): unknown => withoutSources(checkSelection(fromPlain(query)));
const field = (name: string): unknown => ({ kind: 'name', name });
const equals = (name: string, value: unknown): unknown => ({
  kind: 'test',
  operator: '=',
  field: field(name),
  value,
});

const refusal = (check: () => unknown): string => {
  try {
    check();
  } catch (error) {
    expect(error).toMatchObject({ kind: 'malformed' });
    return (error as Error).message;
  }
  throw new Error('accepted');
};

describe('checkSelection', () => {
  it.each<[string, unknown, unknown]>([
    ['a comparison', ['=', 'certname', 'a'], { condition: equals('certname', 'a') }],
    ['!= as not =', ['!=', 'certname', 'a'], { condition: { kind: 'not', member: equals('certname', 'a') } }],
    [
      'a chain nested to the right, flat',
      ['or', ['=', 'a', 'x'], ['or', ['=', 'b', 'y'], ['or', ['=', 'c', 'z']]]],
      { condition: { kind: 'or', members: [equals('a', 'x'), equals('b', 'y'), equals('c', 'z')] } },
    ],
    [
      'a pair as a field',
      ['~', ['fact', 'kernel'], 'x'],
      {
        condition: {
          kind: 'test',
          operator: '~',
          field: { kind: 'keyed', container: 'fact', key: 'kernel' },
          value: 'x',
        },
      },
    ],
    [
      'in with an array',
      ['in', 'certname', ['array', ['a', 'b']]],
      {
        condition: { kind: 'in-array', fields: [field('certname')], values: ['a', 'b'] },
      },
    ],
    [
      'in with extract',
      ['in', ['a', 'b'], ['extract', ['c', 'd'], ['select_facts', ['=', 'e', 'f']]]],
      {
        condition: {
          kind: 'in-query',
          fields: [field('a'), field('b')],
          query: {
            entity: 'select_facts',
            form: 'select',
            columns: [
              { kind: 'field', field: field('c') },
              { kind: 'field', field: field('d') },
            ],
            condition: equals('e', 'f'),
          },
        },
      },
    ],
    [
      'in with from and paging',
      ['in', 'a', ['from', 'facts', ['extract', 'c'], ['order_by', [['c', 'DESC']]], ['limit', 5]]],
      {
        condition: {
          kind: 'in-query',
          fields: [field('a')],
          query: {
            entity: 'facts',
            form: 'from',
            columns: [{ kind: 'field', field: field('c') }],
            orderBy: [{ field: 'c', order: 'desc' }],
            limit: 5,
          },
        },
      },
    ],
    [
      'functions and groups',
      ['extract', ['a', ['function', 'count']], ['group_by', 'a']],
      {
        columns: [
          { kind: 'field', field: field('a') },
          { kind: 'call', name: 'count' },
        ],
        groupBy: [{ kind: 'field', field: field('a') }],
      },
    ],
    [
      'conditions on groups',
      [
        'extract',
        'a',
        ['group_by', 'a'],
        ['having', ['and', ['>', ['function', 'count'], 1], ['and', ['=', ['function', 'avg', 'b'], 2]]]],
      ],
      {
        columns: [{ kind: 'field', field: field('a') }],
        groupBy: [{ kind: 'field', field: field('a') }],
        having: [
          { operator: '>', call: { kind: 'call', name: 'count' }, value: '1' },
          { operator: '=', call: { kind: 'call', name: 'avg', field: field('b') }, value: '2' },
        ],
      },
    ],
  ])('reads %s', (_, query, expected) => {
    expect(selection(query)).toEqual(expected);
  });

  const grouped = ['extract', 'a', ['group_by', 'a']];
  const having = ['having', ['>', ['function', 'count'], 1]];
  it.each<[unknown, string]>([
    [[], '[] is not well-formed: queries must contain at least one operator'],
    [['and'], "'and' takes at least one argument, but none were supplied"],
    [['and', []], '[] is not well-formed: queries must contain at least one operator'],
    [['not'], "'not' takes exactly one argument, but 0 were supplied"],
    [['not', ['=', 'a', 1], ['=', 'a', 1]], "'not' takes exactly one argument, but 2 were supplied"],
    [['=', 'certname'], '= requires exactly two arguments'],
    [['=', 'certname', 'a', 'b'], '= requires exactly two arguments'],
    [['~', 'certname'], '~ requires exactly two arguments'],
    [['in', 'certname', ['array', 'x']], 'Operator array requires a vector argument'],
    [['like', 'a', 'b'], `["like" "a" "b"] is not well-formed: query operator 'like' is unknown`],
    [['extract', ['a'], ['limit', 1]], '["limit" 1] is not a valid expression for "extract"'],
    [['extract', ['a'], ['bogus', 1]], '["bogus" 1] is not a valid expression for "extract"'],
    ['x', '"x" is not well-formed: a query is an array'],
    [['extract', 'a', ['having', ['>', ['function', 'count'], 1]]], 'having is allowed once, after group_by'],
    [[...grouped, ['having']], 'having requires exactly one condition'],
    [[...grouped, ['having', ['and']]], '["and"] is not well-formed: having takes the operators = < > <= >= and'],
    [[...grouped, ['having', ['>', 'a', 1]]], '> in having requires a function and a number'],
    [[...grouped, ['having', ['>', ['function', 'nope'], 1]]], expect.stringContaining('"nope" is not a function')],
    [
      [...grouped, ['having', ['>', ['function', 'count'], '1']]],
      'having compares with a decimal number of at most 30 digits before and after the point, not "1"',
    ],
    [[...grouped, having, having], 'having is allowed once, after group_by'],
    [[...grouped, having, ['=', 'a', 1]], '["=" "a" 1] is not a valid expression for "extract"'],
  ])('refuses %j', (query, message) => {
    expect(refusal(() => selection(query))).toEqual(message);
  });

  it('survives alternatives by the ten thousand', () => {
    let chain: unknown = ['=', 'certname', 'last'];
    for (let i = 0; i < 10_000; i++) chain = ['or', ['=', 'certname', `n${i}`], chain];
    const { condition } = checkSelection(chain as AstJson);
    expect(condition).toMatchObject({ kind: 'or' });
    expect(condition?.kind === 'or' && condition.members).toHaveLength(10_001);
  });
});

describe('checkRoot', () => {
  const initialForm =
    'Your initial query must be of the form: ["from",<entity>,(<optional-query>)]. Check your query and try again.';

  it.each<[unknown, string]>([
    [[], initialForm],
    [['from'], initialForm],
    [['=', 'certname', 'x'], initialForm],
    [['from', 'nodes', ['=', 'a', 1], ['=', 'b', 2]], initialForm],
    [['from', 'nodes', ['extract', ['a']], ['group_by', 'a']], initialForm],
    [['from', 'nodes', ['limit']], "Received 'limit' clause without an argument"],
    [['from', 'nodes', ['limit', 1], ['limit', 2]], "Multiple 'limit' clauses are not permitted"],
    [['from', 'nodes', []], '[] is not well-formed: queries must contain at least one operator'],
    [['from', 'nodes', ['limit', 0]], "Illegal value '0' for :limit; expected a positive non-zero integer."],
    [['from', 'nodes', ['offset', -1]], "Illegal value '-1' for :offset; expected a non-negative integer."],
  ])('refuses %j', (query, message) => {
    expect(refusal(() => checkRoot(fromPlain(query)))).toBe(message);
  });

  it('reads the query and its paging', () => {
    expect(
      withoutSources(checkRoot(fromPlain(['from', 'nodes', ['=', 'a', 'b'], ['limit', 5], ['offset', 2]]))),
    ).toEqual({
      entity: 'nodes',
      form: 'from',
      condition: equals('a', 'b'),
      limit: 5,
      offset: 2,
    });
  });
});
