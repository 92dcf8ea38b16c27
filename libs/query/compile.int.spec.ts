import { Database } from '#database';
import { catalog, edge, event, factset, report, resource } from '../../test/support/documents';
import { processMegabytes } from '../../test/support/process-memory';
import { ProjectionBench } from '../../test/support/projection';
import { fromPlain } from './ast/json';
import { compileQuery, parseAst, type QueryRequest } from './compile';
import { entities } from './entities/registry';
import { subjectTypes } from './plan/plan-event-counts';

let bench: ProjectionBench;
const edition = 'full';
const dialect = 'neutral';

beforeAll(async () => {
  bench = await ProjectionBench.open(2);
  const facts = (certname: string, values: unknown, over = {}): Promise<unknown> =>
    bench.submit('replace facts', certname, {
      payload: factset(certname, values, {
        ...over,
        ...(certname === 'a' ? { package_inventory: [['bash', '5.2', 'apt']] } : {}),
      }),
    });
  await facts('a', {
    kernel: 'Linux',
    count: 4,
    virtual: true,
    os: { name: 'Debian', release: { major: '12' } },
    disks: ['sda', { size: 1 }],
    'dotted.name': 'dot',
    '42': 'digits',
    none: null,
    empty: {},
  });
  await facts('b', { kernel: 'Linux', count: '4', os: { name: 'Ubuntu' }, disks: ['sdb'] }, { environment: 'staging' });
  await facts('c', { kernel: 'FreeBSD', count: 8.5, os: 'none' });
  await facts('gone', { kernel: 'Linux' });
  await bench.submit('replace catalog', 'a', {
    payload: catalog(
      'a',
      [
        resource('/x', { tags: ['file', 'class', 'web'], parameters: { mode: '0644', n: 7, list: ['p', 'q'] } }),
        resource('/y', { exported: true, line: 30, parameters: { mode: '0600', hash: { k: 1 } } }),
        resource(`/${'long'.repeat(100)}`, { file: null, line: null }),
      ],
      [edge('/x', '/y')],
    ),
  });
  await bench.submit('replace catalog inputs', 'a', {
    version: 1,
    payload: {
      certname: 'a',
      producer_timestamp: '2026-01-01T00:00:00.000Z',
      catalog_uuid: '00000000-0000-4000-8000-000000000002',
      inputs: [
        ['hiera', 'x::y'],
        ['vault', 's'],
      ],
    },
  });
  await bench.submit('store report', 'a', {
    payload: report('a', [event('mode', { corrective_change: true }), event('owner', { status: 'failure' })]),
  });
  await bench.submit('store report', 'b', {
    payload: report('b', [event('mode', { new_value: { k: [1] }, old_value: null })], { status: 'failed' }),
  });
  await bench.submit('deactivate node', 'gone', {
    payload: { certname: 'gone', producer_timestamp: '2026-02-01T00:00:00.000Z' },
  });
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
});
afterAll(async () => bench.close());

async function run(request: QueryRequest): Promise<{ rows: unknown[]; total?: number }> {
  const { rows, total } = compileQuery(request, { schema: bench.generation.schema, edition, dialect });
  const found = await bench.db.query<{ row: string }>(rows);
  const counted = total && (await bench.db.query<{ row: string }>(total));
  return {
    rows: found.map(({ row }) => JSON.parse(row) as unknown),
    ...(counted ? { total: Number(counted[0]?.row) } : {}),
  };
}

const ask = async (entity: string, query: unknown): Promise<unknown[]> =>
  (await run({ entity, ast: fromPlain(query) })).rows;

const certnames = async (entity: string, condition: unknown): Promise<unknown[]> => {
  const rows = await ask(entity, ['extract', ['certname'], condition, ['group_by', 'certname']]);
  return rows.map((row) => (row as { certname: string }).certname).sort();
};

describe('expressions that PostgreSQL can hardly hold', () => {
  it.each([
    ['counts inside counts', '((a{0,255}){0,255}){0,255}'],
    ['counts of classes', '(\\w{0,200}){0,40}'],
    ['alternatives', '(a|b|c|d)*'.repeat(900)],
    ['classes in a row', '\\w{255}'.repeat(1_400)],
    ['options in a row', `${'a?'.repeat(2_000)}${'a'.repeat(2_000)}`],
  ])('%s: the query ends, and its memory is bounded', async (_, pattern) => {
    const timed = new Database({ connectionString: bench.connectionString, max: 1, statementTimeoutMs: 1_000 });
    try {
      const [own] = await timed.query<{ pid: string }>({ text: 'SELECT pg_backend_pid()::text AS pid', values: [] });
      const { rows } = compileQuery(
        { entity: 'facts', ast: ['or', ['~', 'value', pattern], ['~', 'name', `${pattern.slice(0, -10)}x`]] },
        { schema: bench.generation.schema, edition, dialect },
      );
      const start = performance.now();
      const outcome = await timed.query(rows).then(
        () => 'rows',
        (error: Error) => error.message,
      );
      expect(outcome).toMatch(/^rows$|too complex|time limit|invalid regular expression/);
      // The limit is generous, because PostgreSQL checks the time only now and then while it compiles a regular
      // expression.
      expect(performance.now() - start).toBeLessThan(30_000);
      expect(processMegabytes(Number(own?.pid), 'VmHWM')).toBeLessThan(400_000 / 1024);
    } finally {
      await timed.close();
    }
  });
});

describe('long queries', () => {
  /**
   * For each entity: conditions that match rows, and a function that makes conditions of one kind that match no row.
   */
  const bases: [string, unknown[], (index: number) => unknown][] = [
    [
      'nodes',
      [
        ['=', ['fact', 'kernel'], 'FreeBSD'],
        ['=', ['fact', 'count'], 4.0],
        ['=', ['fact', 'count'], '4'],
        ['=', ['fact', 'virtual'], true],
        ['=', ['fact', 'disks.0'], 'sdb'],
        ['=', ['fact', '42'], 'digits'],
        ['=', ['fact', 'none'], 'x'],
      ],
      (index) => ['=', ['fact', `f${index}`], index],
    ],
    [
      'inventory',
      [
        ['=', 'facts.os.name', 'Ubuntu'],
        ['=', 'facts.os', 'none'],
        ['=', 'facts.count', 8.5],
        ['=', 'facts."dotted.name"', 'dot'],
        ['=', 'facts.disks[0]', 'sda'],
        ['=', 'facts.missing', 1],
      ],
      (index) => ['=', `facts.f${index}`, index],
    ],
    [
      'nodes',
      [
        ['=', 'certname', 'a'],
        ['=', 'latest_report_status', 'failed'],
        ['=', 'report_environment', 'production'],
      ],
      (index) => ['=', 'latest_report_status', `s${index}`],
    ],
    [
      'facts',
      [
        ['=', 'value', 'Linux'],
        ['=', 'value', 4],
        ['and', ['=', 'name', 'kernel'], ['=', 'value', 'FreeBSD']],
      ],
      (index) => ['=', 'value', `v${index}`],
    ],
    [
      'nodes',
      [
        ['subquery', 'events', ['=', 'status', 'failure']],
        ['in', 'latest_report_hash', ['extract', 'hash', ['select_reports', ['=', 'status', 'failed']]]],
      ],
      (index) => ['subquery', 'facts', ['=', 'name', `f${index}`]],
    ],
    ['reports', [['=', 'latest_report?', true]], (index) => ['=', 'latest_report?', index < 0]],
  ];
  const rowsOf = async (entity: string, condition: unknown): Promise<Set<string>> =>
    new Set((await ask(entity, condition)).map((row) => JSON.stringify(row)));

  it.each(bases.flatMap(([entity, base, none]) => [20, 600].map((size) => [entity, size, base, none] as const)))(
    '%s: find what their parts find, with %i of them',
    async (entity, size, base, none) => {
      const fillers = Array.from({ length: size }, (_, index) => none(index));
      const alone = await Promise.all(base.map((one) => rowsOf(entity, one)));
      const union = new Set(alone.flatMap((rows) => [...rows]));
      expect(await rowsOf(entity, ['or', ...base, ...fillers])).toEqual(union);
      // If a part is neither true nor false for a row, no query returns the row.
      const without = await Promise.all([...base, none(0)].map((one) => rowsOf(entity, ['not', one])));
      const all = [...without[0]!].filter((row) => without.every((rows) => rows.has(row)));
      const negated = [...base, ...fillers].map((one) => ['not', one]);
      expect(await rowsOf(entity, ['and', ...negated])).toEqual(new Set(all));
      expect(await rowsOf(entity, ['not', ['or', ...base, ...fillers]])).toEqual(new Set(all));
      expect(await rowsOf(entity, ['not', ['and', ...negated]])).toEqual(union);
      const twice = Array.from({ length: size }, () => base[0]);
      expect(await rowsOf(entity, ['and', ...twice])).toEqual(alone[0]);
      expect(await rowsOf(entity, ['not', ['and', ...twice]])).toEqual(without[0]);
      // The same conditions, with nested conjunctions and with `not` around them.
      const tens = Array.from({ length: size / 10 }, () => ['and', ...twice.slice(0, 10)]);
      const nots = twice.map((one) => ['not', one]);
      for (const same of [
        ['and', ...tens],
        ['not', ['or', ...nots]],
        ['not', ['not', ['and', ...tens]]],
      ]) {
        expect(await rowsOf(entity, same)).toEqual(alone[0]);
        expect(await rowsOf(entity, ['not', same])).toEqual(without[0]);
      }
    },
  );

  it('find values among many', async () => {
    const values = ['Linux', 4, null, ...Array.from({ length: 1_200 }, (_, index) => `v${index}`)];
    const found = await rowsOf('facts', ['in', 'value', ['array', values]]);
    expect(found).toEqual(await rowsOf('facts', ['or', ['=', 'value', 'Linux'], ['=', 'value', 4]]));
    const others = await rowsOf('facts', ['not', ['in', 'value', ['array', values]]]);
    expect(others).toEqual(
      await rowsOf('facts', ['and', ['not', ['=', 'value', 'Linux']], ['not', ['=', 'value', 4]]]),
    );
  });
});

describe('compiled queries', () => {
  it.each<[string, unknown, string[]]>([
    ['nodes', ['=', ['fact', 'kernel'], 'Linux'], ['a', 'b']],
    ['nodes', ['not', ['=', ['fact', 'os.name'], 'Debian']], ['b', 'c']],
    ['nodes', ['=', ['fact', 'count'], 4], ['a']],
    ['nodes', ['>', ['fact', 'count'], 3], ['a', 'c']],
    ['nodes', ['=', 'node_state', 'inactive'], ['gone']],
    ['nodes', ['=', ['node', 'active'], false], ['gone']],
    ['nodes', ['or', ['=', 'node_state', 'any'], ['=', 'certname', 'a']], ['a']],
    ['nodes', ['null?', 'report_timestamp', true], ['c']],
    ['nodes', ['not', ['~', 'latest_report_status', 'fail']], ['a', 'c']],
    ['nodes', ['in', 'certname', ['from', 'facts', ['extract', 'certname', ['=', 'name', 'none']]]], ['a']],
    ['nodes', ['subquery', 'events', ['=', 'status', 'failure']], ['a']],
    ['nodes', ['in', 'latest_report_hash', ['extract', 'hash', ['select_reports', ['=', 'status', 'failed']]]], ['b']],
    ['facts', ['=', 'value', 4], ['a']],
    ['facts', ['=', 'value', '4'], ['b']],
    ['facts', ['=', 'value', null], ['a']],
    ['facts', ['>=', 'value', 4.0], ['a', 'c']],
    ['facts', ['=', 'environment', 'staging'], ['b']],
    ['fact-contents', ['=', 'path', ['disks', 0]], ['a', 'b']],
    ['fact-contents', ['=', 'path', ['disks', '0']], []],
    ['fact-contents', ['~>', 'path', ['disks', '.*']], ['a', 'b']],
    ['fact-contents', ['~>', 'path', ['os', 'rel.*', '.*']], ['a']],
    ['inventory', ['=', 'facts.os.name', 'Debian'], ['a']],
    ['inventory', ['not', ['=', 'facts.os.name', 'Debian']], ['b', 'c']],
    ['inventory', ['=', 'facts.os', { release: { major: '12' } }], ['a']],
    ['inventory', ['=', 'facts.disks', 'sda'], []],
    ['inventory', ['=', 'facts.disks[0]', 'sda'], ['a']],
    ['inventory', ['not', ['=', 'facts.disks[0]', 'sda']], ['b']],
    ['inventory', ['=', 'facts.disks[1].size', 1], ['a']],
    ['inventory', ['=', 'facts."dotted.name"', 'dot'], ['a']],
    ['inventory', ['=', 'facts.42', 'digits'], ['a']],
    ['inventory', ['null?', 'facts.none', true], ['a']],
    ['inventory', ['null?', 'facts.none', false], []],
    ['inventory', ['null?', 'facts.missing', true], []],
    ['inventory', ['~', 'facts.match("ker.*")', '^Lin'], ['a', 'b']],
    ['inventory', ['not', ['~', 'facts.os.name', 'Deb']], ['b', 'c']],
    ['inventory', ['>', 'facts.count', 4], ['c']],
    ['inventory', ['not', ['>', 'facts.count', 4]], ['a', 'b']],
    ['inventory', ['=', 'facts.count', 4.0], ['a']],
    ['resources', ['=', 'tag', 'WEB'], ['a']],
    ['resources', ['=', ['parameter', 'n'], 7], ['a']],
    ['resources', ['=', ['parameter', 'n'], 7.5], []],
    ['resources', ['=', 'parameters.hash.k', 1], ['a']],
    ['resources', ['=', 'title', `/${'long'.repeat(100)}`], ['a']],
    ['resources', ['=', 'title', `/${'long'.repeat(99)}`], []],
    ['reports', ['=', 'latest_report?', true], ['a', 'b']],
    ['events', ['=', 'new_value', { k: [1] }], ['b']],
    ['events', ['=', 'old_value', null], ['b']],
    ['package-inventory', ['=', 'package_name', 'bash'], ['a']],
    ['catalog-inputs', ['subquery', 'catalog_input_contents', ['=', 'type', 'vault']], ['a']],
  ])('%s %j', async (entity, condition, expected) => {
    expect(await certnames(entity, condition)).toEqual(expected);
  });

  it('compares the text of parameters: 7.0 is not 7', async () => {
    const answerTo = (text: string) => run({ entity: 'resources', ast: parseAst(`["=",["parameter","n"],${text}]`) });
    expect((await answerTo('7')).rows).toHaveLength(1);
    expect((await answerTo('7.0')).rows).toHaveLength(0);
  });

  it('folds rows by group and names repeated functions apart', async () => {
    const rows = await ask('facts', [
      'extract',
      ['name', ['function', 'count'], ['function', 'max', 'value'], ['function', 'count', 'value']],
      ['in', 'name', ['array', ['count', 'none']]],
      ['group_by', 'name'],
    ]);
    expect(rows).toHaveLength(2);
    expect(rows).toEqual(
      expect.arrayContaining([
        { name: 'count', count: 3, max: 8.5, count_2: 3 },
        { name: 'none', count: 1, max: null, count_2: 0 },
      ]),
    );
    expect(
      await ask('reports', [
        'extract',
        [
          ['function', 'to_string', 'start_time', 'YYYY'],
          ['function', 'count'],
        ],
        ['group_by', ['function', 'to_string', 'start_time', 'YYYY']],
      ]),
    ).toEqual([{ to_string: '2026', count: 2 }]);
  });

  it('orders and pages, and counts what there is without paging', async () => {
    const page = await run({
      ast: fromPlain(['from', 'facts', ['extract', ['certname'], ['=', 'name', 'kernel']], ['limit', 9]]),
      paging: { limit: 1, offset: 1, orderBy: [{ field: 'certname', order: 'desc' }], includeTotal: true },
    });
    expect(page).toEqual({ rows: [{ certname: 'b' }], total: 3 });
    const groups = await run({
      entity: 'facts',
      ast: fromPlain(['extract', ['name', ['function', 'count']], ['group_by', 'name']]),
      paging: { limit: 1, orderBy: [{ field: 'name', order: 'asc' }], includeTotal: true },
    });
    expect(groups).toEqual({ rows: [{ name: '42', count: 1 }], total: 9 });
  });

  it('lists paths once a type, without those that read as an index, and the names they belong to', async () => {
    const paths = (await ask('fact-paths', null)) as { path: unknown[]; type: string }[];
    expect(paths).toContainEqual({ path: ['count'], name: 'count', type: 'integer' });
    expect(paths).toContainEqual({ path: ['count'], name: 'count', type: 'float' });
    expect(paths).not.toContainEqual(expect.objectContaining({ path: ['42'] }));
    expect(await ask('fact-names', null)).toEqual(['count', 'disks', 'dotted.name', 'kernel', 'none', 'os', 'virtual']);
  });

  it('expands children', async () => {
    const [shown] = (await ask('catalogs', null)) as [Record<string, { href: string; data: unknown[] }>];
    expect(shown.edges).toEqual({
      href: '/pdb/query/v4/catalogs/a/edges',
      data: [
        { relationship: 'before', source_type: 'File', source_title: '/x', target_type: 'File', target_title: '/y' },
      ],
    });
    expect(shown.resources?.data).toHaveLength(3);
    const [of] = (await ask('reports', ['=', 'certname', 'b'])) as [Record<string, { data: unknown[] }>];
    expect(of.resource_events?.data).toEqual([
      expect.objectContaining({
        property: 'mode',
        new_value: { k: [1] },
        old_value: null,
        timestamp: '2026-01-01T00:00:01+00:00',
      }),
    ]);
  });

  it.each(subjectTypes)('counts events by %s', async (summarizeBy) => {
    const counts = await run({ entity: 'event-counts', options: { summarizeBy }, paging: { includeTotal: true } });
    const sum = (name: string): number =>
      (counts.rows as Record<string, number>[]).reduce((all, row) => all + (row[name] ?? 0), 0);
    expect([sum('successes'), sum('failures'), sum('corrective_successes')]).toEqual([2, 1, 1]);
    expect(counts.total).toBe(counts.rows.length);
    const [all] = (await run({ entity: 'aggregate-event-counts', options: { summarizeBy } })).rows;
    expect(all).toMatchObject({ summarize_by: summarizeBy, total: counts.rows.length, failures: 1 });
  });

  it('counts the same from the kept counts as from the events', async () => {
    const options = { summarizeBy: 'certname', countsFilter: parseAst('[">","successes",0]') } as const;
    const kept = await run({ entity: 'event-counts', options });
    const counted = await run({ entity: 'event-counts', ast: fromPlain(['~', 'status', '.']), options });
    expect(kept.rows).toHaveLength(2);
    expect(counted.rows).toEqual(expect.arrayContaining(kept.rows));
  });

  it('keeps the newest event of each property in a window', async () => {
    const distinctResources = { start: '2020-01-01', end: '2030-01-01T00:00:00Z' };
    expect((await run({ entity: 'events', options: { distinctResources } })).rows).toHaveLength(3);
    const none = { start: '2020-01-01', end: '2021-01-01' };
    expect((await run({ entity: 'events', options: { distinctResources: none } })).rows).toEqual([]);
  });
});

describe('every statement is one that PostgreSQL runs', () => {
  const values = ['a', 4, 1.5, true, null, ['a', 1], { a: 1 }, '2024-01-01', '['].map(fromPlain);
  const operators = ['=', '<', '>=', '~', '~>', 'null?'];
  const dotted: Record<string, string[]> = {
    inventory: ['facts.a', 'facts.a[0].b', 'facts.match("a.*").b', 'trusted.a', 'facts.', 'facts'],
    resources: ['parameters.a', 'parameters.a[0]', 'parameters.match("a")', 'parameters'],
  };

  /**
   * Runs a query that compiles. A query that does not compile must be refused as malformed, and so must a regular
   * expression that PostgreSQL refuses.
   */
  async function tolerate(request: QueryRequest): Promise<boolean> {
    try {
      await run(request);
      return true;
    } catch (error) {
      const { kind, code } = error as { kind?: string; code?: string };
      if (kind === 'malformed' || code === '2201B') return false;
      throw new Error(`${JSON.stringify(request)}: ${(error as Error).message}`);
    }
  }

  it.each(entities.map(({ name }) => name))('%s', async (name) => {
    const entity = entities.find((one) => one.name === name);
    const names = [...(entity?.fields.map((field) => field.name) ?? []), ...(dotted[name] ?? [])];
    const keyed = Object.keys(entity?.keyed ?? {}).map((container) => [container, 'a'] as const);
    let ran = 0;
    const check = async (ast: unknown): Promise<void> => {
      if (await tolerate({ entity: name, ast: ast as QueryRequest['ast'] & object })) ran++;
    };
    for (const field of [...names, ...keyed]) {
      for (const operator of operators)
        for (const value of values) {
          await check([operator, field, value]);
          await check(['not', [operator, field, value]]);
        }
      await check(['null?', field, true]);
      await check(['in', field, ['array', values]]);
      await check(['in', field, ['array', ['a', 'b']]]);
      await check(['in', field, ['extract', 'value', ['select_facts']]]);
      await check(['extract', [field]]);
      await check(['extract', [field, ['function', 'count']], ['group_by', field]]);
      for (const call of ['count', 'avg', 'sum', 'min', 'max']) await check(['extract', [['function', call, field]]]);
      await check(['extract', [['function', 'to_string', field, '999']]]);
      if (typeof field === 'string')
        await tolerate({
          entity: name,
          paging: { orderBy: [{ field, order: 'desc' }], limit: 3, includeTotal: true },
        });
    }
    for (const other of Object.keys(entity?.relations ?? {})) await check(['subquery', other]);
    for (const state of ['active', 'inactive', 'any']) await check(['not', ['=', 'node_state', state]]);
    expect(ran).toBeGreaterThan(10);
  });
});
