/** Tests that answers do not depend on the order of rows or on how PostgreSQL runs the query. */
import { databaseErrorCode, type Generation } from '#database';
import { catalog, edge, event, factset, report, resource } from '../../test/support/documents';
import { ProjectionBench } from '../../test/support/projection';
import { fromPlain } from './ast/json';
import { compileQuery, type QueryRequest } from './compile';
import { entities } from './entities/registry';

let bench: ProjectionBench;

beforeAll(async () => {
  bench = await ProjectionBench.open(1);
});
afterAll(async () => bench.close());

async function rowsOf(
  entity: string,
  query: unknown,
  paging: NonNullable<QueryRequest['paging']> = {},
  { schema }: Generation = bench.generation,
): Promise<string[]> {
  const request = { entity, ast: fromPlain(query), paging };
  const { rows } = compileQuery(request, { schema, edition: 'full', dialect: 'neutral' });
  return (await bench.db.query<{ row: string }>(rows)).map(({ row }) => row);
}

describe('equal numbers that are spelled differently', () => {
  const spellings = ['11', '11.0', '-3.0', '-3', '-3.0', '7', '1e1', '10'];
  const payload = (certname: string, number: string): string =>
    JSON.stringify(factset(certname, { slot: 'N', list: ['N'] })).replaceAll('"N"', number);

  beforeAll(async () => {
    for (const [round, list] of [spellings, [...spellings].reverse()].entries())
      for (const [index, number] of list.entries())
        await bench.submit('replace facts', `${round}-${index}`, { payload: payload(`${round}-${index}`, number) });
    await bench.settle();
    expect(bench.deadLetters).toEqual([]);
  });

  // PuppetDB returns the spelling of the first row that it reads.
  test.each([
    ['facts', 'value', ['=', 'name', 'slot'], ['-3.0', '10', '11', '7']],
    ['facts', 'value', ['=', 'name', 'list'], ['[-3.0]', '[10.0]', '[11.0]', '[7]']],
    ['fact-contents', 'value', ['=', 'path', ['slot']], ['-3.0', '10', '11', '7']],
    ['inventory', 'facts.slot', ['~', 'certname', '.'], ['-3.0', '10', '11', '7']],
    ['inventory', 'facts.list', ['~', 'certname', '.'], ['[-3.0]', '[10.0]', '[11.0]', '[7]']],
  ])('%s: %s is grouped under the spelling of most rows, in any order', async (entity, field, condition, shown) => {
    for (const round of ['^0-', '^1-', '.']) {
      const rows = await rowsOf(entity, [
        'extract',
        [field],
        ['and', condition, ['~', 'certname', round]],
        ['group_by', field],
      ]);
      expect(rows.map((row) => row.replace(/^.* : (.*)}$/, '$1')).sort()).toEqual(shown);
    }
  });

  test.each([
    ['facts', 'value', ['=', 'name', 'slot']],
    ['fact-contents', 'value', ['=', 'path', ['slot']]],
    ['inventory', 'facts.slot', ['~', 'certname', '.']],
    // PuppetDB returns the spelling of the last row that it reads.
  ])('%s: min and max of %s have the most decimals, as the sum has', async (entity, field, condition) => {
    for (const round of ['^0-', '^1-', '.']) {
      const folded = (name: string): Promise<string[]> =>
        rowsOf(entity, ['extract', [['function', name, field]], ['and', condition, ['~', 'certname', round]]]);
      expect(await folded('max')).toEqual([expect.stringMatching(/"max" : 11\.0}$/)]);
      expect(await folded('min')).toEqual([expect.stringMatching(/"min" : -3\.0}$/)]);
    }
  });

  test('they are spelled the same after a rebuild, whichever facts have changed', async () => {
    // A change of a fact moves its rows to the end of the table. A rebuild writes them in the order of the log.
    for (const [certname, number] of [
      ['0-0', '11'],
      ['0-4', '-3.0'],
      ['0-6', '1e1'],
    ] as const) {
      const sent = JSON.parse(payload(certname, '0')) as { values: object };
      const changed = { ...sent, producer_timestamp: '2026-01-02T00:00:00.000Z', values: { ...sent.values, more: 1 } };
      const text = JSON.stringify(changed).replace('"slot":0,"list":[0]', `"slot":${number},"list":[${number}]`);
      await bench.submit('replace facts', certname, { payload: text });
    }
    await bench.settle();
    const rebuilt = await bench.newGeneration();
    await bench.settle(rebuilt);
    for (const [entity, field, condition] of [
      ['facts', 'value', ['=', 'name', 'slot']],
      ['facts', 'value', ['=', 'name', 'list']],
      ['fact-contents', 'value', ['=', 'path', ['slot']]],
      ['inventory', 'facts.slot', ['~', 'certname', '.']],
    ] as const) {
      const grouped = ['extract', [field], condition, ['group_by', field]];
      const live = await rowsOf(entity, grouped);
      expect(live).toHaveLength(4);
      expect((await rowsOf(entity, grouped, {}, rebuilt)).sort()).toEqual(live.sort());
      if (condition[2] === 'list') continue;
      const ends = ['extract', ['min', 'max'].map((name) => ['function', name, field]), condition];
      expect(await rowsOf(entity, ends, {}, rebuilt)).toEqual(await rowsOf(entity, ends));
    }
  });
});

/** The expected answers are the answers of PuppetDB 7.12.1, which had stored the same documents. */
describe('as the reference', () => {
  // The nodes in the order in which PuppetDB sorts them.
  const ascending = [
    'vi',
    'v7',
    'vh',
    'v4',
    'v5',
    'vc',
    'vb',
    'va',
    'vf',
    'v2',
    've',
    'v1',
    'vd',
    'vg',
    'v6',
    'v8',
    'v9',
  ];
  const values: Readonly<Record<string, unknown>> = {
    v1: 11,
    v2: 2,
    v4: '11',
    v5: '2',
    v6: true,
    v7: null,
    v8: [1, 2],
    v9: { a: 1 },
    va: -3.5,
    vb: 'abc',
    vc: 'Abc',
    vd: 1e21,
    ve: 4,
    vf: 1,
    vg: false,
    vh: '',
    vi: [],
  };

  const packagesOfV1 = [
    ['Zed', '1', 'apt'],
    ['abc', '1', 'apt'],
    ['abc', '1', 'gem'],
    ['bash', '5.1', 'apt'],
    ['bash', '5.2', 'apt'],
    ['zsh', '5.9', 'apt'],
  ];

  beforeAll(async () => {
    for (const [certname, v] of Object.entries(values)) {
      const more = certname === 'v1' || certname === 'v2' ? { kernel: 'Linux' } : {};
      const nested = certname === 'v1' ? { os: { name: 'Debian' } } : {};
      const inventory = certname === 'v1' ? [...packagesOfV1].reverse() : [['bash', '5.2', 'apt']];
      const payload = factset(certname, { v, ...more, ...nested }, { package_inventory: inventory });
      await bench.submit('replace facts', certname, { payload });
    }
    for (const certname of ['v1', 'v4']) {
      const resources = [resource('/x', { parameters: { p: 11 } }), resource('/y', { tags: [] })];
      await bench.submit('replace catalog', certname, { payload: catalog(certname, resources, [edge('/x', '/y')]) });
      await bench.submit('store report', certname, { payload: report(certname, [event('mode')]) });
      await bench.submit('replace catalog inputs', certname, {
        version: 1,
        payload: {
          certname,
          producer_timestamp: '2026-01-01T00:00:00.000Z',
          catalog_uuid: '00000000-0000-4000-8000-000000000002',
          inputs: [['hiera', 'x']],
        },
      });
    }
    await bench.settle();
    expect(bench.deadLetters).toEqual([]);
  });

  const of = async (entity: string, condition: unknown): Promise<string[]> => {
    const rows = await rowsOf(entity, [
      'extract',
      ['certname'],
      ['and', condition, ['~', 'certname', '^v']],
      ['group_by', 'certname'],
    ]);
    return rows.map((row) => (JSON.parse(row) as { certname: string }).certname).sort();
  };

  test.each(['asc', 'desc'] as const)('values of every type %s', async (order) => {
    const sorted = order === 'asc' ? ascending : [...ascending].reverse();
    const ordered = async (entity: string): Promise<string[]> => {
      const ast = ['extract', ['certname'], ['and', ['=', 'name', 'v'], ['~', 'certname', '^v']]];
      const rows = await rowsOf(entity, ast, { orderBy: [{ field: 'value', order }] });
      return rows.map((row) => (JSON.parse(row) as { certname: string }).certname);
    };
    expect(await ordered('facts')).toEqual(sorted);
    // Maps and lists are not leaves themselves.
    const leaves = sorted.filter((certname) => !['v8', 'v9', 'vi'].includes(certname));
    expect((await ordered('fact-contents')).filter((certname) => leaves.includes(certname))).toEqual(leaves);
  });

  const ofNode = ['nodes', 'facts', 'fact-contents', 'factsets', 'inventory', 'package-inventory'];
  const ofSome = ['catalogs', 'resources', 'edges', 'reports', 'events', 'catalog-inputs', 'catalog-input-contents'];
  test.each([...ofNode, ...ofSome])('%s by a fact of their node', async (entity) => {
    const among = (...certnames: string[]): string[] =>
      ofSome.includes(entity) ? certnames.filter((one) => one === 'v1' || one === 'v4') : certnames;
    expect(await of(entity, ['=', ['fact', 'kernel'], 'Linux'])).toEqual(among('v1', 'v2'));
    const others = Object.keys(values).filter((certname) => certname !== 'v1' && certname !== 'v2');
    // An empty list has no leaf.
    const shown = entity === 'fact-contents' ? others.filter((certname) => certname !== 'vi') : others;
    expect(await of(entity, ['not', ['=', ['fact', 'kernel'], 'Linux']])).toEqual(among(...shown));
    expect(await of(entity, ['~', ['fact', 'kernel'], '^L'])).toEqual(among('v1', 'v2'));
    expect(await of(entity, ['in', ['fact', 'kernel'], ['array', ['Linux']]])).toEqual(among('v1', 'v2'));
    expect(await of(entity, ['=', ['fact', 'os.name'], 'Debian'])).toEqual(['v1']);
    expect(await of(entity, ['=', ['fact', 'v'], 'abc'])).toEqual(among('vb'));
    const above = ['v1', 'v6', 'v8', 'v9', 'vd', 'vg'];
    expect(await of(entity, ['>', ['fact', 'v'], 5])).toEqual(among(...above));
    await expect(of(entity, ['=', ['fact', 'v'], null])).rejects.toThrow("Operator '=' not allowed on value 'null'");
    await expect(of(entity, ['>=', ['fact', 'v'], '5'])).rejects.toThrow("Operator '>=' not allowed on value '5'");
  });

  test('a fact of the node in a query inside another one, and of counted events', async () => {
    const linux = ['=', ['fact', 'kernel'], 'Linux'];
    for (const select of ['select_resources', 'select_reports', 'select_events']) {
      expect(await of('nodes', ['in', 'certname', ['extract', 'certname', [select, linux]]])).toEqual(['v1']);
    }
    const { rows } = compileQuery(
      { entity: 'event-counts', ast: fromPlain(linux), options: { summarizeBy: 'certname' } },
      { schema: bench.generation.schema, edition: 'open', dialect: 'puppetdb' },
    );
    const counts = await bench.db.query<{ row: string }>(rows);
    expect(counts.map(({ row }) => JSON.parse(row) as unknown)).toEqual([
      { subject_type: 'certname', subject: { title: 'v1' }, failures: 0, skips: 0, successes: 1, noops: 0 },
    ]);
  });

  // PuppetDB answers these queries with 500.
  test.each(['packages', 'environments', 'producers', 'fact-names', 'fact-paths'])(
    '%s are of no node',
    async (entity) => {
      await expect(rowsOf(entity, ['=', ['fact', 'kernel'], 'Linux'])).rejects.toMatchObject({ code: 'query.field' });
    },
  );

  test.each([
    ['tag', true, 0],
    ['tag', false, 0],
    ['tags', true, 0],
    ['tags', false, 4],
  ])('["null?", "%s", %s]', async (field, expected, count) => {
    expect(await rowsOf('resources', ['null?', field, expected])).toHaveLength(count);
    expect(await rowsOf('resources', ['not', ['null?', field, expected]])).toHaveLength(4 - count);
  });

  // PuppetDB treats null as false and every other value as true.
  test.each(['x', 'true', 'false', 1, 0, null, [], { a: true }])('null? with %j is refused', async (expected) => {
    await expect(rowsOf('nodes', ['null?', 'deactivated', expected])).rejects.toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('null? requires true or false as its second argument') as string,
    });
  });

  // PuppetDB lists packages in the order in which it first stored each package of any node.
  test('packages of a factset are sorted', async () => {
    const { rows } = compileQuery(
      {
        entity: 'factsets',
        ast: fromPlain(['extract', ['package_inventory'], ['=', 'certname', 'v1']]),
        options: { includePackageInventory: true },
      },
      { schema: bench.generation.schema, edition: 'open', dialect: 'puppetdb' },
    );
    const [found] = await bench.db.query<{ row: string }>(rows);
    expect(JSON.parse(found?.row ?? '')).toEqual({ package_inventory: packagesOfV1 });
  });
});

describe('a faulty regular expression', () => {
  let empty: Generation;
  beforeAll(async () => {
    empty = await bench.newGeneration();
  });

  const matchable = entities.flatMap(({ name, fields, keyed }) => [
    ...fields
      .filter((field) => field.uses?.includes('ask') !== false && field.option === undefined)
      .map((field) => [name, field.name] as const),
    ...Object.keys(keyed ?? {}).map((container) => [name, [container, 'x']] as const),
    ...(name === 'inventory' ? [[name, 'facts.a.b'] as const, [name, 'trusted.a'] as const] : []),
    ...(name === 'resources' ? [[name, 'parameters.a'] as const] : []),
  ]);

  test.each(matchable)('%s, %j: refused also where there are no rows', async (entity, field) => {
    for (const query of [
      ['~', field, '['],
      ['not', ['~', field, '[']],
      ['or', ['~', field, 'a'], ['~', field, '(']],
    ]) {
      let answer: unknown = 'answered';
      try {
        await rowsOf(entity, query, {}, empty);
      } catch (error) {
        answer = databaseErrorCode(error) ?? (error as { code: string }).code;
      }
      expect(['2201B', 'query.operator']).toContain(answer);
    }
  });

  test.each([
    ['fact-contents', ['~>', 'path', ['a', '[']]],
    ['fact-paths', ['~>', 'path', ['a', '[']]],
    ['inventory', ['=', 'facts.match("[").a', 1]],
    ['resources', ['=', 'parameters.match("[")', 1]],
    ['resources', ['~', ['parameter', '['], 'a']],
  ])('%s, %j: refused, too', async (entity, query) => {
    await expect(rowsOf(entity, query, {}, empty)).rejects.toMatchObject({ code: '2201B' });
  });
});
