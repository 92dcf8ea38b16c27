/** Tests which rows each kind of condition returns, also under `not`, where false and null have different effects. */
import { catalog, event, factset, report, resource } from '../../test/support/documents';
import { foundValues, queryText } from '../../test/support/found-values';
import { ProjectionBench } from '../../test/support/projection';

let bench: ProjectionBench;

beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  const facts = (certname: string, values: unknown, over = {}): Promise<unknown> =>
    bench.submit('replace facts', certname, { payload: factset(certname, values, over) });
  await facts('a', { count: 8, kernel: 'Linux', left: { one: 1 }, list: ['x', 'y'], none: null });
  await facts('b', { count: 2, kernel: 'Darwin', aleft: { one: 1 }, xright: { one: 1 } }, { environment: 'staging' });
  await facts('c', { kernel: 'Linux', right: { one: 1, two: 2 }, leftover: { one: 1 } });
  await facts('gone', { count: 9 });
  await bench.submit('replace catalog', 'a', {
    payload: catalog(
      'a',
      [
        resource('/m', { line: 7, parameters: { mode: '0644', n: 7 }, tags: ['file', 'web'] }),
        resource('/e', { line: 9, parameters: { ensure: 'file', mode: null } }),
        resource('/o', { line: 9, file: null, parameters: { owner: ['x'] } }),
      ],
      [],
    ),
  });
  await bench.submit('store report', 'a', {
    payload: report('a', [event('mode', { old_value: null, new_value: 'x' }), event('size', { new_value: [1] })]),
  });
  await bench.submit('store report', 'b', { payload: report('b', [], { status: 'failed', noop: true }) });
  await bench.submit('deactivate node', 'gone', {
    payload: { certname: 'gone', producer_timestamp: '2026-02-01T00:00:00.000Z' },
  });
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
});
afterAll(() => bench.close());

const text = (entity: string, query: unknown) => queryText(bench, entity, query);
const found = (entity: string, column: string, condition: unknown): Promise<unknown[]> =>
  foundValues(bench, entity, column, condition);

const not = (condition: unknown): unknown => ['not', condition];
const all = ['~', 'certname', '.'];
const none = ['=', 'certname', 'nobody'];

describe('nodes', () => {
  it.each<[unknown, string[]]>([
    [['and', all, ['=', 'certname', 'a']], ['a']],
    [['or', none, ['=', 'certname', 'a']], ['a']],
    [
      ['and', all],
      ['a', 'b', 'c'],
    ],
    [['or', none], []],
    [not(['and', all, ['=', 'certname', 'a']]), ['b', 'c']],
    [not(['or', none, ['=', 'certname', 'a']]), ['b', 'c']],
    [not(not(['=', 'certname', 'a'])), ['a']],
    [
      ['!=', 'certname', 'a'],
      ['b', 'c'],
    ],
    [['AND', all, ['Or', none, ['=', 'certname', 'a']]], ['a']],
    // Tests a chain of one operator, nested as PQL nests it, and a chain of both operators.
    [
      ['or', ['=', 'certname', 'a'], ['or', ['=', 'certname', 'b'], ['or', none]]],
      ['a', 'b'],
    ],
    [
      ['or', ['=', 'certname', 'a'], ['and', all, ['=', 'certname', 'b']]],
      ['a', 'b'],
    ],
    [
      ['and', all, ['or', ['=', 'certname', 'a'], ['=', 'certname', 'b']]],
      ['a', 'b'],
    ],

    [
      ['=', 'node_state', 'active'],
      ['a', 'b', 'c'],
    ],
    [['=', 'node_state', 'INACTIVE'], ['gone']],
    [
      ['=', 'node_state', 'Any'],
      ['a', 'b', 'c', 'gone'],
    ],
    [not(['=', 'node_state', 'any']), ['a', 'b', 'c', 'gone']],
    [
      ['and', ['=', 'node_state', 'any'], ['=', 'node_state', 'any']],
      ['a', 'b', 'c', 'gone'],
    ],
    [['or', ['=', 'node_state', 'any'], none], []],
    [['and', ['=', 'node_state', 'any'], ['=', 'certname', 'gone']], ['gone']],
    [
      ['=', ['node', 'active'], true],
      ['a', 'b', 'c'],
    ],
    [['=', ['node', 'active'], false], ['gone']],
    [['=', ['node', 'active'], null], ['gone']],

    [['=', 'latest_report_status', 'failed'], ['b']],
    [['=', 'latest_report_status', null], ['c']],
    [['null?', 'latest_report_status', true], ['c']],
    [
      ['null?', 'latest_report_status', false],
      ['a', 'b'],
    ],
    [not(['=', 'latest_report_status', 'failed']), ['a']],
    [['=', 'latest_report_noop', true], ['b']],
    [['~', 'latest_report_status', '^f'], ['b']],
    [not(['~', 'latest_report_status', '^f']), ['a', 'c']],
    [['~', 'certname', null], []],
    [
      ['>', 'report_timestamp', '2000-01-01'],
      ['a', 'b'],
    ],
    [['<', 'report_timestamp', '2000-01-01'], []],

    [['=', ['fact', 'count'], 8], ['a']],
    [['>', ['fact', 'count'], 2], ['a']],
    [
      ['>=', ['fact', 'count'], 2],
      ['a', 'b'],
    ],
    [['<', ['fact', 'count'], 8], ['b']],
    [
      ['<=', ['fact', 'count'], 8],
      ['a', 'b'],
    ],
    [
      ['~', ['fact', 'kernel'], 'ux$'],
      ['a', 'c'],
    ],
    [['~', ['fact', 'kernel'], null], []],
    [['null?', ['fact', 'none'], true], ['a']],
    [
      ['null?', ['fact', 'count'], false],
      ['a', 'b'],
    ],
    [['in', ['fact', 'count'], ['array', [2, 3]]], ['b']],
    [['in', ['fact', 'kernel'], ['array', [null, null]]], []],

    [
      ['in', 'certname', ['array', ['a', 'c', 'x']]],
      ['a', 'c'],
    ],
    [not(['in', 'certname', ['array', ['a', 'c', 'x']]]), ['b']],
    [['in', 'certname', ['array', []]], []],
    [['in', ['certname'], ['array', ['a']]], ['a']],
    [
      [
        'in',
        ['certname', 'facts_environment'],
        [
          'array',
          [
            ['a', 'production'],
            ['b', 'production'],
          ],
        ],
      ],
      ['a'],
    ],
    [
      ['in', 'certname', ['extract', 'certname', ['select_facts', ['=', 'name', 'count']]]],
      ['a', 'b', 'gone'].slice(0, 2),
    ],
    [['in', 'certname', ['from', 'facts', ['extract', 'certname', ['=', 'name', 'none']]]], ['a']],
    [['in', 'certname', ['extract', ['certname', 'name'], ['select_facts', ['=', 'name', 'none']]]], ['a']],
    [
      [
        'in',
        ['certname', 'facts_environment'],
        ['extract', ['certname', 'environment'], ['select_facts', ['=', 'name', 'count']]],
      ],
      ['a', 'b'],
    ],
    [['subquery', 'reports', ['=', 'noop', true]], ['b']],
    [
      ['subquery', 'reports'],
      ['a', 'b'],
    ],
    [not(['subquery', 'reports']), ['c']],
  ])('%j', async (condition, expected) => {
    expect(await found('nodes', 'certname', condition)).toEqual(expected);
  });
});

describe('inventory', () => {
  it.each<[unknown, string[]]>([
    [['=', 'facts.count', 8], ['a']],
    [['>', 'facts.count', 2], ['a']],
    // The condition is null for c, because c does not have the fact.
    [not(['>', 'facts.count', 2]), ['b']],
    [not(['and', all, ['>', 'facts.count', 2]]), ['b']],
    [not(['or', none, ['>', 'facts.count', 2]]), ['b']],
    [not(['and', all, ['or', none, ['>', 'facts.count', 2]]]), ['b']],
    [not(not(['and', all, ['>', 'facts.count', 2]])), ['a']],
    [not(['=', 'facts.count', 8]), ['b', 'c']],
    [['null?', 'facts.none', true], ['a']],
    [
      ['null?', 'facts.count', false],
      ['a', 'b'],
    ],
    [['=', 'facts.none', null], ['a']],
    [['=', 'facts.list', ['x', 'y']], ['a']],
    [['=', 'facts.list[1]', 'y'], ['a']],
    [['in', 'facts.count', ['array', [2, 9]]], ['b']],
    [['=', 'facts', { left: { one: 1 } }], ['a']],
    [
      ['~', 'facts.kernel', '^Lin'],
      ['a', 'c'],
    ],
    [['~', 'facts.kernel', null], []],
    // A regular expression with alternatives is one expression, and cannot be split at its start or end.
    [
      ['=', 'facts.match("left|right").one', 1],
      ['a', 'c'],
    ],
    [['=', 'facts.right.match("one|two")', 2], ['c']],
    [['=', 'facts.match("^lef|ight").match("o|wo")', 2], []],
    [
      ['~', 'facts.match("ern|kern")', 'Linux'],
      ['a', 'c'],
    ],
    [['~', 'facts.match("x|ernel")', 'Linux'], []],
  ])('%j', async (condition, expected) => {
    expect(await found('inventory', 'certname', condition)).toEqual(expected);
  });
});

describe('resources', () => {
  it.each<[unknown, string[]]>([
    [
      ['null?', ['parameter', 'mode'], true],
      ['/e', '/o'],
    ],
    [['null?', ['parameter', 'mode'], false], ['/m']],
    [not(['null?', ['parameter', 'mode'], true]), ['/m']],
    [['=', ['parameter', 'mode'], '0644'], ['/m']],
    [not(['=', ['parameter', 'mode'], '0644']), ['/e', '/o']],
    [['>', ['parameter', 'n'], 6], ['/m']],
    [['>', ['parameter', 'n'], 7], []],
    [['~', ['parameter', 'own'], 'x'], ['/o']],
    [['in', ['parameter', 'ensure'], ['array', ['file', 'absent']]], ['/e']],
    [['=', 'tag', 'WEB'], ['/m']],
    [['~', 'tag', '^WE'], ['/m']],
    [['in', 'tag', ['array', ['WEB', 'other']]], ['/m']],
    [['=', 'line', 7], ['/m']],
    [['in', 'line', ['array', [7, 8]]], ['/m']],
    [
      ['>=', 'line', 9],
      ['/e', '/o'],
    ],
    [['>', 'line', 9], []],
    [['null?', 'file', true], ['/o']],
    [
      ['null?', 'file', false],
      ['/e', '/m'],
    ],
    [['=', 'parameters.n', 7], ['/m']],
    [['null?', 'parameters.mode', true], ['/e']],
  ])('%j', async (condition, expected) => {
    expect(await found('resources', 'title', condition)).toEqual(expected);
  });
});

describe('paths of facts', () => {
  it.each<[unknown, unknown[]]>([
    [['=', 'path', ['left', 'one']], [['left', 'one']]],
    [['=', 'path', ['list', 1]], [['list', 1]]],
    [['=', 'path', null], []],
    [
      ['in', 'path', ['array', [['left', 'one'], ['count']]]],
      [['count'], ['left', 'one']],
    ],
    [['~>', 'path', ['list', 1]], [['list', 1]]],
    [['~>', 'path', ['c.*']], [['count']]],
    [['~>', 'path', []], []],
    [
      ['~', 'path', '^lis'],
      [
        ['list', 0],
        ['list', 1],
      ],
    ],
  ])('%j', async (condition, expected) => {
    expect(await found('fact-contents', 'path', condition)).toEqual(expected);
  });
});

it.each<[unknown[], unknown[]]>([
  [
    ['left|right', 'one'],
    [
      ['left', 'one'],
      ['right', 'one'],
    ],
  ],
  [['eft|coun'], []],
  [['kernel|count'], [['count'], ['kernel']]],
  [['ist', 1], []],
])('the elements of paths match from begin to end: %j', async (patterns, expected) => {
  expect(await found('fact-paths', 'path', ['~>', 'path', patterns])).toEqual(expected);
});

describe('events', () => {
  it.each<[unknown, string[]]>([
    [['=', 'new_value', 'x'], ['mode']],
    [['=', 'new_value', [1]], ['size']],
    [['=', 'old_value', null], ['mode']],
    [['null?', 'old_value', true], []],
    [['null?', 'old_value', false], []],
    [['in', 'new_value', ['array', ['x', 'y']]], ['mode']],
    [['~', 'new_value', 'x'], ['mode']],
    [
      ['=', 'latest_report?', true],
      ['mode', 'size'],
    ],
    [['=', 'latest_report?', 'false'], []],
    [['=', 'latest_report?', false], []],
    [['=', 'latest_report?', null], []],
    [
      ['=', 'latest_report?', 'anything'],
      ['mode', 'size'],
    ],
  ])('%j', async (condition, expected) => {
    expect(await found('events', 'property', condition)).toEqual(expected);
  });
});

describe('what is refused', () => {
  it.each<[string, unknown, string]>([
    ['nodes', ['and'], "'and' takes at least one argument"],
    ['nodes', ['or', ['or']], "'or' takes at least one argument"],
    ['nodes', ['not'], "'not' takes exactly one argument, but 0"],
    ['nodes', ['not', all, all], "'not' takes exactly one argument, but 2"],
    ['nodes', ['=', 'certname'], '= requires exactly two arguments'],
    ['nodes', ['!=', 'certname', 'a', 'b'], '!= requires exactly two arguments'],
    ['nodes', ['~', 'certname'], '~ requires exactly two arguments'],
    ['nodes', ['~', 'certname', 1], '~ requires a regular expression in a string'],
    ['nodes', ['~', 'report_timestamp', 'x'], 'operator ~ is not allowed on field report_timestamp'],
    ['nodes', ['~', 'latest_report_noop', 'x'], 'operator ~ is not allowed on field latest_report_noop'],
    ['resources', ['~', 'line', 'x'], 'operator ~ is not allowed on field line'],
    ['nodes', ['null?', 'certname', 'x'], 'null? requires true or false'],
    ['nodes', ['null?', 'certname'], 'null? requires exactly two arguments'],
    ['nodes', ['in', 'certname'], 'in requires exactly two arguments'],
    ['nodes', ['in', [], ['array', []]], 'in requires at least one field'],
    ['nodes', ['in', 'certname', ['array']], 'array requires a vector argument'],
    ['nodes', ['in', 'certname', ['array', ['a'], ['b']]], 'array requires a vector argument'],
    ['nodes', ['in', 'certname', ['array', 'a']], 'array requires a vector argument'],
    ['nodes', ['in', 'certname', ['and', all]], 'in requires array, extract or from'],
    ['nodes', ['in', 'certname', ['extract', 'certname']], 'extract takes columns and a select_<entity> query'],
    ['nodes', ['in', 'certname', ['extract', 'certname', ['select_facts', all, all]]], 'takes at most one argument'],
    [
      'nodes',
      ['in', ['certname', 'facts_environment'], ['extract', 'certname', ['select_facts', all]]],
      'in compares 2 fields, but its query extracts 1',
    ],
    ['nodes', ['in', ['certname', 'facts_environment'], ['array', [['a']]]], 'does not have one value for each of 2'],
    ['nodes', ['in', ['fact', 'x'], ['array', [1, 'a']]], 'All values in array must be the same type.'],
    ['nodes', ['subquery'], 'subquery takes an entity and a query'],
    ['nodes', ['subquery', 'facts', all, all], 'subquery takes an entity and a query'],
    ['nodes', ['subquery', ['facts']], 'subquery takes an entity and a query'],
    ['nodes', ['=', 'node_state', 'gone'], 'node_state is active, inactive or any'],
    ['nodes', ['>', 'node_state', 'any'], 'not allowed on field node_state'],
    ['nodes', ['~>', 'certname', ['a']], 'operator ~> is not allowed on field certname'],
    ['nodes', ['=', ['fact', 'x'], null], "Operator '=' not allowed on value 'null'"],
    ['nodes', ['>', ['fact', 'x'], 'a'], "Operator '>' not allowed on value 'a'"],
    ['fact-contents', ['~>', 'path', 'a'], '~> requires a list of regular expressions'],
    ['fact-contents', ['=', 'path', [true]], 'Path array element'],
    ['fact-contents', ['=', 'path', [1.5]], 'Path array element'],
    ['factsets', ['=', 'facts', 'x'], 'Query operator = is not allowed on field facts'],
    ['factsets', ['~', 'facts', 'x'], 'Query operator ~ is not allowed on field facts'],
    ['factsets', ['null?', 'facts', true], 'Query operator null? is not allowed on field facts'],
    ['factsets', ['in', 'facts', ['array', ['x']]], 'Query operator in is not allowed on field facts'],
    ['inventory', ['in', 'facts.x', ['from', 'nodes', ['extract', 'certname']]], "Can't match on unknown"],
    ['inventory', ['in', 'facts', ['from', 'nodes', ['extract', 'certname']]], "Can't match on unknown"],
    ['inventory', ['>', 'facts.x', ['a']], 'Invalid > clause'],
    ['events', ['in', 'containment_path', ['array', ['x']]], 'in...array is not supported on array types'],
  ])('%s %j', (entity, condition, message) => {
    expect(() => text(entity, condition)).toThrow(message);
  });
});
