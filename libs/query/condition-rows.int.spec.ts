/**
 * Tests conditions whose answers distinguish similar values. The queries show only certnames, so each condition adds
 * its own joins.
 */
import { catalog, event, factset, report, resource } from '../../test/support/documents';
import { foundValues, queryText } from '../../test/support/found-values';
import { ProjectionBench } from '../../test/support/projection';

let bench: ProjectionBench;
let hash: string;
// A text that is longer than the prefix in the index. A character of two code units is just before the end of the
// prefix.
const long = `/${'x'.repeat(150)}\u{1f600}${'y'.repeat(150)}`;

beforeAll(async () => {
  bench = await ProjectionBench.open(1);
  const facts = (certname: string, values: unknown, environment = 'production'): Promise<unknown> =>
    bench.submit('replace facts', certname, { payload: factset(certname, values, { environment }) });
  await facts('a', { count: 8, kernel: 'Linux', place: ['left', 'one'], left: { one: 1 }, none: null });
  await facts('b', { count: 2, kernel: 'Darwin', active: 'yes' }, 'staging');
  await facts('c', { kernel: 'Linux', kind: 'count' });
  await facts('gone', { count: 9 });
  const resources = {
    a: [
      resource('/m', { line: 7, parameters: { mode: '0644', n: 7 }, tags: ['file', 'web'] }),
      resource(long, { line: 1, file: null, parameters: {} }),
    ],
    b: [resource('/m', { line: 8, parameters: { n: 8, mode: null } }), resource('8', { line: 2, parameters: {} })],
  };
  for (const [certname, list] of Object.entries(resources))
    await bench.submit('replace catalog', certname, {
      payload: catalog(certname, list, [], { environment: certname === 'a' ? 'production' : 'staging' }),
    });
  const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
  const reported = (certname: string, events: unknown[], over: Record<string, unknown>): Promise<unknown> =>
    bench.submit('store report', certname, { payload: report(certname, events, over) });
  await reported('a', [event('old')], { producer_timestamp: at(1) });
  await reported('a', [event('mode', { new_value: 'x' })], { producer_timestamp: at(2), status: 'changed' });
  await reported('b', [event('size', { new_value: 'yxy' })], {
    ...{ producer_timestamp: at(2), status: 'failed', environment: 'staging' },
  });
  await reported('c', [], { producer_timestamp: at(2), type: 'plan' });
  await bench.submit('deactivate node', 'gone', {
    payload: { certname: 'gone', producer_timestamp: '2026-02-01T00:00:00.000Z' },
  });
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
  const [latest] = await bench.rows<{ hash: string }>(
    `SELECT r.hash FROM {schema}.latest_reports JOIN {schema}.reports r USING (report) JOIN {schema}.nodes n ON n.node = r.node
     WHERE certname = 'a'`,
  );
  hash = latest?.hash as string;
});
afterAll(() => bench.close());

const text = (entity: string, query: unknown) => queryText(bench, entity, query);
const found = (entity: string, column: string, condition: unknown): Promise<unknown[]> =>
  foundValues(bench, entity, column, condition);

const not = (condition: unknown): unknown => ['not', condition];
const all = ['~', 'certname', '.'];
const list = <T>(size: number, make: (index: number) => T): T[] => Array.from({ length: size }, (_, n) => make(n));

const ofCount = (from: number, operator: string, field: unknown): unknown[] =>
  list(12, (n) => [operator, field, from + n]);

describe('find', () => {
  it.each<[string, unknown, string[]]>([
    ['resources', ['=', 'parameters.n', 7], ['a']],
    ['resources', ['=', ['parameter', 'n'], 7], ['a']],
    ['resources', ['>', ['parameter', 'n'], 7], ['b']],
    ['resources', ['or', ...ofCount(8, '=', 'parameters.n')], ['b']],
    ['resources', ['and', ['=', 'title', '/m'], ['=', ['parameter', 'mode'], null]], ['b']],
    ['resources', ['>', 'line', 7], ['b']],
    ['resources', ['null?', 'file', true], ['a']],
    ['resources', ['=', 'tag', 'WEB'], ['a']],
    ['resources', ['=', 'title', long], ['a']],
    ['resources', ['=', 'title', long.slice(0, -1)], []],
    ['resources', ['in', 'title', ['array', [long, 'x']]], ['a']],
    ['resources', ['=', 'environment', 'staging'], ['b']],
    ['resources', ['in', 'line', ['from', 'facts', ['extract', 'value', ['=', 'name', 'count']]]], ['b']],
    ['resources', ['in', 'line', ['from', 'resources', ['extract', [['function', 'max', 'line']]]]], ['b']],
    ['resources', ['in', 'title', ['from', 'resources', ['extract', 'line']]], ['b']],
    [
      'resources',
      [
        ...['in', ['title', 'environment']],
        ['from', 'resources', ['extract', ['title', 'environment'], ['=', 'line', 7]]],
      ],
      ['a'],
    ],

    ['events', ['=', 'new_value', 'x'], ['a']],
    // The regular expression is compared with the JSON of the value, including the quotes.
    ['events', ['~', 'new_value', 'x'], ['a']],
    ['events', ['=', 'report', 'zz'], []],
    ['events', not(['=', 'report', 'zz']), ['a', 'b']],
    ['events', ['=', 'environment', 'staging'], ['b']],
    ['events', ['>', 'run_end_time', '2000-01-01'], ['a', 'b']],

    ['reports', ['=', 'type', 'plan'], ['c']],
    ['reports', ['=', 'type', 'any'], ['a', 'b', 'c']],
    ['reports', ['=', 'type', 'agent'], ['a', 'b']],
    ['reports', ['=', 'latest_report?', false], ['a']],

    ['nodes', ['and', ['=', 'node_state', 'inactive'], all], ['gone']],
    ['nodes', ['=', ['fact', 'active'], 'yes'], ['b']],
    ['nodes', ['in', 'latest_report_status', ['array', list(1_001, (n) => (n === 500 ? 'failed' : `s${n}`))]], ['b']],
    ['nodes', ['in', 'facts_environment', ['array', ['staging', null]]], ['b']],
    ['nodes', ['or', ...ofCount(0, '=', ['fact', 'count'])], ['a', 'b']],
    ['nodes', ['or', ...ofCount(5, '>', ['fact', 'count'])], ['a']],
    ['nodes', ['or', ...list(12, (n) => ['=', ['fact', n === 3 ? 'kernel' : 'x'], 'Linux'])], ['a', 'c']],
    ['inventory', ['or', ...ofCount(0, '=', 'facts.count')], ['a', 'b']],
    ['inventory', ['or', ...ofCount(5, '>', 'facts.count')], ['a']],
    ['nodes', ['in', 'certname', ['extract', 'certname', ['select_facts', null]]], ['a', 'b', 'c']],
    ['nodes', ['in', 'certname', ['extract', 'certname', ['select_facts']]], ['a', 'b', 'c']],
    ['nodes', ['subquery', 'reports', null], ['a', 'b']],
    [
      'nodes',
      ['in', 'certname', ['from', 'facts', ['extract', [['function', 'max', 'certname']], ['=', 'name', 'kernel']]]],
      ['c'],
    ],
    [
      'nodes',
      [
        ...['in', 'certname'],
        [
          ...['from', 'facts'],
          ['extract', ['certname', ['function', 'count']], ['=', 'name', 'count'], ['group_by', 'certname']],
        ],
      ],
      ['a', 'b'],
    ],

    ['facts', ['=', 'value', 8], ['a']],
    // A list is not equal to any single value.
    ['facts', ['=', 'value', ['left', 'one']], []],
    ['facts', ['null?', 'value', true], ['a']],
    ['facts', ['and', ['=', 'name', 'none'], ['null?', 'value', false]], []],
    ['facts', ['~', 'value', 'ux$'], ['a', 'c']],
    ['facts', ['>', 'value', 5], ['a']],
    ['facts', ['and', ['=', 'name', 'kernel'], ['=', 'value', 'Linux']], ['a', 'c']],
    ['facts', ['and', ['=', 'name', 'kernel'], ['=', 'value', 'count']], []],
    ['facts', ['and', ['=', 'value', 'Linux'], all], ['a', 'c']],
    ['facts', ['and', ['in', 'name', ['array', ['kernel', 'count']]], ['=', 'value', 8]], ['a']],
    ['facts', ['and', ['=', 'name', 'count'], ['in', 'value', ['array', [8, 9]]]], ['a']],
    ['facts', ['in', 'value', ['array', list(1_500, (n) => n + 5)]], ['a']],
    ['facts', ['in', 'value', ['array', ['Darwin', ['x']]]], ['b']],
    ['facts', ['in', 'value', ['from', 'facts', ['extract', 'name']]], ['c']],
    ['facts', ['in', 'value', ['from', 'facts', ['extract', 'value', ['=', 'certname', 'b']]]], ['b']],

    ['fact-contents', ['=', 'value', 'Darwin'], ['b']],
    ['fact-contents', ['in', 'value', ['array', list(30, (n) => n + 5)]], ['a']],
    ['fact-contents', ['~>', 'path', ['oun']], ['a', 'b']],
    ['fact-contents', ['in', 'path', ['array', []]], []],
    ['fact-contents', ['in', 'path', ['from', 'facts', ['extract', 'value', ['=', 'name', 'place']]]], ['a']],
    ['fact-contents', ['in', 'path', ['from', 'fact-paths', ['extract', 'path', ['~', 'path', 'one']]]], ['a']],
    ['fact-contents', ['=', 'name', 'active'], ['b']],
    ['fact-contents', ['~', 'name', 'tiv'], ['b']],
  ])('%s %j', async (entity, condition, expected) => {
    expect(await found(entity, 'certname', condition)).toEqual(expected);
  });
});

it('facts of nodes that are away', async () => {
  expect(await found('facts', 'name', ['=', 'node_state', 'inactive'])).toEqual(['count']);
});

it('events of a report, and of no other one', async () => {
  const events = (condition: unknown): Promise<unknown[]> => found('events', 'property', condition);
  expect(await events(['=', 'report', hash])).toEqual(['mode']);
  expect(await events(not(['=', 'report', hash]))).toEqual(['old', 'size']);
  expect(await events(['in', 'report', ['array', [hash, 'zz']]])).toEqual(['mode']);
  expect(await events(['in', 'report', ['array', [hash, `${hash.slice(0, -1)}x`]]])).toEqual(['mode']);
  expect(await events(['in', 'report', ['array', [hash, hash]]])).toEqual(['mode']);
  const sameKey = hash.slice(0, -2) + (hash.endsWith('00') ? '11' : '00');
  const otherKey = (hash.startsWith('00') ? '11' : '00') + hash.slice(2);
  expect(await events(['=', 'report', sameKey])).toEqual([]);
  expect(await events(not(['=', 'report', sameKey]))).toEqual(['mode', 'old', 'size']);
  expect(await events(['in', 'report', ['array', [hash, otherKey]]])).toEqual(['mode']);
  expect(await events(not(['in', 'report', ['array', [hash, otherKey]]]))).toEqual(['old', 'size']);
});

it('events of the latest report, of others, or of both', async () => {
  const ofBoth = (...values: boolean[]): Promise<unknown[]> =>
    found('events', 'property', ['in', 'latest_report?', ['array', values]]);
  expect(await ofBoth(true)).toEqual(['mode', 'size']);
  expect(await ofBoth(false)).toEqual(['old']);
  expect(await ofBoth(true, false)).toEqual(['mode', 'old', 'size']);
});

it('what is not known of a row leaves it out, also among so many conditions that the planner sees only some', async () => {
  // Node c has no report, so the condition is unknown for c.
  const members = list(600, (n) => [
    'or',
    ...['failed', `s${n}`].map((status) => ['=', 'latest_report_status', status]),
  ]);
  expect(await found('nodes', 'certname', ['and', ...members])).toEqual(['b']);
  expect(await found('nodes', 'certname', not(['or', ...members.map(not)]))).toEqual(['b']);
  expect(await found('nodes', 'certname', not(['and', ...members]))).toEqual(['a']);
});

describe('are refused', () => {
  it.each<[string, unknown, string]>([
    ['nodes', ['and', all, [['=', 'certname', 'a']]], `query operator '["=" "certname" "a"]' is unknown`],
    ['nodes', ['and', all, 'x'], '"x" is not well-formed: a query is an array'],
    ['nodes', ['and', all, [1]], "query operator '1' is unknown"],
    ['nodes', ['in', ['fact'], ['array', ['x']]], "'fact' is not a queryable object for nodes."],
    [
      'nodes',
      ['in', 'certname', ['extract', 'certname', ['select_facts'], 'x']],
      'extract takes columns and a select_<entity> query',
    ],
    ['nodes', ['~>', ['fact', 'x'], ['a']], `'["fact","x"]' is not a queryable object`],
    ['inventory', ['~>', 'facts.count', ['a']], 'Query operator ~> is not allowed on field facts.count'],
    ['nodes', ['in', ['fact', 'x'], ['array', [true, 'a']]], 'All values in array must be the same type.'],
    [
      'factsets',
      ['in', 'facts', ['from', 'nodes', ['extract', 'certname']]],
      'Query operator in is not allowed on field facts',
    ],
    [
      'inventory',
      ['in', 'facts.x', ['from', 'nodes', ['extract', 'certname']]],
      "Acceptable fields are 'certname', 'environment', 'facts', 'timestamp', and 'trusted'",
    ],
    ['fact-contents', ['in', 'path', ['array', [null, ['count']]]], 'Path array element wasnt string or integer'],
    ['nodes', ['=', ['node', 'inactive'], true], `'["node","inactive"]' is not a queryable object`],
    ['resources', ['>', ['parameter', 'mode'], ['x']], 'Invalid > clause'],
    ['nodes', ['subquery', 'toString', all], "Invalid entity 'toString' in query"],
  ])('%s %j', (entity, condition, message) => {
    expect(() => text(entity, condition)).toThrow(message);
  });

  it('but not the order of parameters that are no numbers', () => {
    expect(() => text('resources', ['>', ['parameter', 'mode'], '0600'])).not.toThrow();
  });
});
