/** Tests the console's endpoints about nodes, over HTTP and with PostgreSQL. */
import { report } from '../../test/support/documents';
import { type ConsoleBench, openConsoleBench } from './testing/console-bench';
import { submitRun, submitSmallFleet } from './testing/small-fleet';

let bench: ConsoleBench;
beforeAll(async () => {
  bench = await openConsoleBench();
  await submitSmallFleet(bench);
});
afterAll(async () => {
  await bench.close();
  expect(bench.reported).toEqual([]);
});

interface NodeList {
  readonly total: number;
  readonly complete: boolean;
  readonly next: string | null;
  readonly nodes: readonly (Record<string, unknown> & { readonly certname: string; readonly status: string })[];
}
const nodeList = (parameters: Record<string, unknown> = {}): Promise<NodeList> => bench.json('node-list', parameters);
const names = async (parameters: Record<string, unknown>): Promise<string[]> =>
  (await nodeList(parameters)).nodes.map(({ certname }) => certname.replace('.example.com', ''));

describe('summary', () => {
  it('counts each active node in one status, and how many were failed a day ago', async () => {
    expect(await bench.json('summary')).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      total: 6,
      nodes: { failed: 2, unreported: 1, noop: 1, noop_pending: 1, changed: 1, unchanged: 1 },
      environments: [
        { name: 'production', nodes: 5 },
        { name: 'staging', nodes: 1 },
      ],
      day_before: { failed: 1 },
    });
  });

  it('counts a node that reports rarely by its last report, if it may', async () => {
    expect(await bench.json('summary', { unreported_after: '1d' })).toMatchObject({
      nodes: { failed: 3, unreported: 0 },
    });
  });

  it('counts the chosen nodes only', async () => {
    expect(await bench.json('summary', { where: { environment: ['staging'] } })).toMatchObject({
      total: 1,
      nodes: { failed: 1, unchanged: 0 },
      day_before: { failed: 0 },
    });
  });
});

describe('facets', () => {
  it('counts the values of fields, without the condition on the field itself', async () => {
    const where = { status: ['failed', 'unreported'], 'fact:os.name': ['Debian'] };
    expect(await bench.json('facets', { fields: ['status', 'environment', 'fact:os.name'], where })).toEqual({
      total: 2,
      facets: [
        {
          field: 'status',
          values: [
            { value: 'failed', nodes: 2 },
            { value: 'noop', nodes: 1 },
          ],
          others: 0,
          missing: 0,
        },
        {
          field: 'environment',
          values: [
            { value: 'production', nodes: 1 },
            { value: 'staging', nodes: 1 },
          ],
          others: 0,
          missing: 0,
        },
        {
          field: 'fact:os.name',
          values: [
            { value: 'Debian', nodes: 2 },
            { value: 'Rocky', nodes: 1 },
          ],
          others: 0,
          missing: 0,
        },
      ],
    });
  });

  it('tells numbers from texts, counts long values as others, and nodes without the fact as missing', async () => {
    const { facets } = await bench.json<{ facets: unknown[] }>('facets', {
      fields: ['fact:cores', 'fact:role', 'fact:os'],
    });
    expect(facets).toEqual([
      {
        field: 'fact:cores',
        values: [
          { value: 4, nodes: 2 },
          { value: '4', nodes: 1 },
          { value: 4.5, nodes: 1 },
        ],
        others: 0,
        missing: 2,
      },
      {
        field: 'fact:role',
        values: [
          { value: 'web', nodes: 2 },
          { value: null, nodes: 1 },
          { value: 'kube', nodes: 1 },
        ],
        others: 1,
        missing: 1,
      },
      { field: 'fact:os', values: [], others: 0, missing: 6 },
    ]);
  });

  it('counts as many nodes as the list shows for each value', async () => {
    const fields = ['status', 'environment', 'fact:os.name', 'fact:cores', 'fact:virtual'];
    const { facets } = await bench.json<{
      facets: { field: string; values: { value: unknown; nodes: number }[]; missing: number }[];
    }>('facets', { fields });
    for (const { field, values, missing } of facets) {
      for (const { value, nodes } of values)
        expect([field, value, (await nodeList({ where: { [field]: [value] } })).total]).toEqual([field, value, nodes]);
      if (missing > 0)
        expect([field, (await nodeList({ where: { [field]: [null] } })).total]).toEqual([field, missing]);
    }
  });
});

describe('node-list', () => {
  it('shows a node with its facts, events and runs', async () => {
    const { nodes } = await nodeList({ text: 'BAD1', facts: ['role', 'os.name', 'os.release', 'none', 'virtual'] });
    expect(nodes).toEqual([
      {
        certname: 'bad1.example.com',
        status: 'failed',
        environment: 'production',
        report_timestamp: expect.stringMatching(/Z$/),
        latest_report_hash: expect.stringMatching(/^[0-9a-f]{40}$/),
        noop_pending: false,
        events: { failure: 1, success: 0, skipped: 0, noop: 0 },
        facts: { role: 'kube', 'os.name': 'Debian', 'os.release': { full: '12.7' }, none: null, virtual: true },
        runs: 'fuff',
      },
    ]);
  });

  it('cuts off a long value', async () => {
    const { nodes } = await nodeList({ text: 'new', facts: ['role'] });
    expect(nodes[0]!['facts']).toEqual({ role: `${'x'.repeat(1_000)}…` });
  });

  it.each([
    [{}, 'bad1 bad2 good new plan silent'],
    [{ order: '-certname' }, 'silent plan new good bad2 bad1'],
    [{ order: '-status' }, 'bad2 bad1 silent plan new good'],
    [{ order: 'status' }, 'good new plan silent bad1 bad2'],
    [{ order: 'report_timestamp', where: { status: ['failed', 'unreported'] } }, 'silent bad2 bad1'],
    [{ order: '-environment', text: 'bad' }, 'bad2 bad1'],
    [{ order: 'fact:cores' }, 'good new silent bad1 bad2 plan'],
    [{ where: { status: ['noop', 'changed'] } }, 'new plan'],
    [{ where: { environment: ['staging', null] } }, 'bad2'],
    [{ where: { 'fact:cores': [4] } }, 'bad1 bad2'],
    [{ where: { 'fact:cores': ['4', null] } }, 'good new silent'],
    [{ where: { 'fact:os.name': ['Debian', 'Ubuntu'], 'fact:virtual': [true] } }, 'bad1'],
    [{ query: ['~', 'certname', '^(bad|good)'] }, 'bad1 bad2 good'],
    [{ query: ['=', ['fact', 'role'], 'web'], where: { status: ['failed'] } }, 'bad2'],
    [{ query: ['=', 'node_state', 'inactive'] }, ''],
    [{ text: '%' }, ''],
  ])('chooses and sorts by %j', async (parameters, expected) => {
    expect((await names(parameters)).join(' ')).toBe(expected);
  });

  it.each([
    'certname',
    '-certname',
    'status',
    '-status',
    '-report_timestamp',
    'environment',
    'fact:os.name',
    '-fact:role',
  ])('shows each node on one page, sorted by %s', async (order) => {
    const whole = await names({ order });
    const found: string[] = [];
    let after: string | null = null;
    do {
      const page: NodeList = await nodeList({ order, limit: 2, ...(after !== null && { after }) });
      expect(page.total).toBe(6);
      found.push(...page.nodes.map(({ certname }) => certname.replace('.example.com', '')));
      after = page.next;
    } while (after !== null);
    expect(found).toEqual(whole);
  });
});

describe('failures', () => {
  it('groups what fails by its cause, with the runs in which it failed', async () => {
    const { causes, others } = await bench.json<{ causes: Record<string, unknown>[]; others: number }>('failures');
    expect(others).toBe(0);
    expect(causes).toEqual([
      {
        key: expect.stringMatching(/^[0-9a-f]{32}$/),
        resource_type: 'File',
        resource_title: '/a',
        message: 'bad1.example.com: no space in 0x1f after 12 s',
        file: '/site.pp',
        line: 7,
        class: 'Ntp',
        nodes: 2,
        certnames: ['bad1.example.com', 'bad2.example.com'],
        since: expect.any(String),
        since_exact: true,
        runs: 2,
        latest_report: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ]);
    const minutes = (Date.now() - Date.parse(causes[0]!['since'] as string)) / 60_000;
    expect(minutes).toBeGreaterThan(49);
    expect(minutes).toBeLessThan(60);
  });

  it('takes the first error of the log if no event failed', async () => {
    expect(await bench.json('failures', { where: { environment: ['staging'] }, limit: 1 })).toMatchObject({
      causes: [{ certnames: ['bad2.example.com'], nodes: 1 }],
    });
    const time = new Date().toISOString();
    const log = {
      level: 'err',
      message: 'Could not retrieve catalog',
      file: null,
      line: null,
      source: 'Puppet',
      tags: [],
      time,
    };
    await bench.projection.submit('store report', 'broken.example.com', {
      payload: report('broken.example.com', [], {
        status: 'failed',
        logs: [{ ...log, level: 'notice', message: 'Using environment' }, log],
        producer_timestamp: time,
        start_time: time,
        end_time: time,
      }),
    });
    await bench.projection.settle();
    expect(await bench.json('failures', { text: 'broken' })).toMatchObject({
      causes: [
        { resource_type: null, message: 'Could not retrieve catalog', certnames: ['broken.example.com'], runs: 1 },
      ],
    });
    await bench.projection.submit('deactivate node', 'broken.example.com', {
      payload: { certname: 'broken.example.com', producer_timestamp: time },
    });
    await bench.projection.settle();
  });
});

describe('runs', () => {
  interface Runs {
    readonly step: number;
    readonly buckets: readonly Record<'failed' | 'noop' | 'changed' | 'unchanged', number>[];
  }
  const total = ({ buckets }: Runs): number[] =>
    (['failed', 'noop', 'changed', 'unchanged'] as const).map((kind) =>
      buckets.reduce((sum, bucket) => sum + bucket[kind], 0),
    );

  it('counts runs by half hour, of inactive nodes as well', async () => {
    const runs = await bench.json<Runs>('runs', { window: '2d' });
    expect([runs.step, total(runs)]).toEqual([1_800, [7, 1, 1, 2]]);
    expect(total(await bench.json<Runs>('runs', { window: '2d', step: '6h' }))).toEqual([7, 1, 1, 2]);
    expect(total(await bench.json<Runs>('runs', { window: '2d', environment: 'staging' }))).toEqual([1, 0, 0, 0]);
    expect(total(await bench.json<Runs>('runs', { window: '3h' }))).toEqual([5, 1, 1, 2]);
    expect((await bench.json<Runs>('runs', { window: '14d' })).buckets.length).toBeGreaterThanOrEqual(14 * 48);
  });
});

describe('fact-distribution', () => {
  it('counts values by type', async () => {
    expect(await bench.json('fact-distribution', { path: 'cores' })).toEqual({
      nodes: 6,
      values: [
        { value: 4, type: 'integer', nodes: 2 },
        { value: '4', type: 'string', nodes: 1 },
        { value: 4.5, type: 'float', nodes: 1 },
      ],
      others: 0,
      missing: 2,
    });
    expect(await bench.json('fact-distribution', { path: 'os.release.full', limit: 1 })).toMatchObject({
      values: [{ value: '12.7', type: 'string', nodes: 2 }],
      others: 3,
      missing: 1,
    });
  });
});

describe('package-versions', () => {
  it('counts versions, and marks the newest by the rule of the provider', async () => {
    expect(await bench.json('package-versions', { name: 'openssl' })).toEqual({
      nodes: 3,
      versions: [
        { version: '3.0.15-1', provider: 'apt', nodes: 2, newest: true },
        { version: '3.0.9-1', provider: 'apt', nodes: 1, newest: false },
      ],
      others: 0,
    });
    expect(await bench.json('package-versions', { name: 'none' })).toEqual({ nodes: 0, versions: [], others: 0 });
  });
});

describe('search', () => {
  const hits = async (q: string, limit = 8): Promise<string[]> => {
    const found = await bench.json<{ hits: { kind: string; name: string; status: string | null }[] }>('search', {
      q,
      limit,
    });
    return found.hits.map(({ kind, name, status }) => [kind, name, status].filter(Boolean).join(' '));
  };

  it.each([
    ['BAD', ['node bad1.example.com failed', 'node bad2.example.com failed']],
    ['os.', ['fact os.name', 'fact os.release.full']],
    ['web', ['class Web::Server']],
    ['ssl', ['package openssl']],
    ['role=web', ['node bad2.example.com failed', 'node silent.example.com unreported']],
    ['cores=4', ['node bad1.example.com failed', 'node bad2.example.com failed', 'node silent.example.com unreported']],
    ['virtual=true', ['node bad1.example.com failed']],
    ["'; DROP TABLE nodes; --", []],
    ['%', []],
  ])('finds %s', async (q, expected) => {
    expect(await hits(q)).toEqual(expected);
  });

  it('finds no names of what is deactivated, and no more than the limit', async () => {
    expect(await hits('gone')).toEqual([]);
    expect(await hits('example.com', 2)).toHaveLength(2);
  });
});

describe('query-check', () => {
  const check = async (query: string): Promise<unknown> => {
    const answer = await bench.ask(
      'query-check',
      {},
      {
        method: 'POST',
        body: JSON.stringify({ query }),
        headers: { authorization: `Bearer ${await bench.token('query')}`, 'content-type': 'application/json' },
      },
    );
    return answer.json();
  };

  it('accepts queries in both languages', async () => {
    for (const query of ['nodes { certname ~ "a" }', '["from","nodes",["=","certname","a"]]'])
      expect(await check(query)).toEqual({ ok: true, errors: [] });
  });

  it('says where a mistake is, and what may be meant', async () => {
    expect(await check('nodes {\n  certnme = "web1"\n}')).toMatchObject({
      ok: false,
      errors: [{ line: 2, column: 3, length: 7, code: 'query.field', instead: 'certname' }],
    });
    expect(await check('nodes { certname === 1 }')).toMatchObject({
      errors: [{ line: 1, column: 19, length: 1, code: 'pql.syntax', instead: null }],
    });
    expect(await check('["from","nodes",["=","certnme","a"]]')).toMatchObject({
      errors: [{ line: null, column: null, length: 0, code: 'query.field', instead: 'certname' }],
    });
    expect(await check(`nodes { certname = "${'x'.repeat(50_000)}`)).toMatchObject({
      errors: [{ code: 'pql.syntax' }],
    });
  });
});

it('describes the language of queries', async () => {
  interface Described {
    entities: { name: string; fields: { name: string; operators: string[] }[] }[];
    functions: { name: string }[];
  }
  const { entities, functions } = await bench.json<Described>('query-language');
  const certname = entities.find(({ name }) => name === 'nodes')!.fields.find(({ name }) => name === 'certname')!;
  expect(certname.operators).toEqual(expect.arrayContaining(['=', '~']));
  expect(functions.map(({ name }) => name)).toContain('count');
});

describe('every endpoint', () => {
  const endpoints = [
    ['summary', {}],
    ['runs', {}],
    ['failures', {}],
    ['failures/groups', {}],
    ['facets', { fields: ['status'] }],
    ['node-list', {}],
    ['fact-distribution', { path: 'role' }],
    ['package-versions', { name: 'zsh' }],
    ['search', { q: 'a' }],
    ['query-language', {}],
  ] as const;

  it.each(endpoints)('%s needs the role query', async (path, parameters) => {
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await bench.ask(path, parameters, { headers })).status;
    expect([
      await ask({}),
      await ask({ authorization: `Bearer ${await bench.token('admin', 'submit', 'metrics')}` }),
      await ask({ authorization: `Bearer ${await bench.token('query')}` }),
    ]).toEqual([401, 403, 200]);
  });

  it.each(endpoints.slice(0, -1))('%s refuses unknown parameters and long URLs', async (path, parameters) => {
    expect((await bench.refusal(path, { ...parameters, wher: {} })).slice(0, 2)).toEqual([400, 'query.parameter']);
    expect((await bench.refusal(path, { ...parameters, text: 'x'.repeat(9_000) })).slice(0, 2)).toEqual([
      413,
      'http.limit',
    ]);
  });

  it.each([
    ['summary', { where: 'x' }, 'query.json'],
    ['summary', { where: [] }, 'query.parameter'],
    ['summary', { where: { status: 'failed' } }, 'query.parameter'],
    ['summary', { where: { status: [] } }, 'query.parameter'],
    ['summary', { where: { status: ['broken'] } }, 'query.parameter'],
    ['summary', { where: { 'fact:': ['x'] } }, 'query.parameter'],
    ['summary', { where: { 'fact:a.match("x")': ['x'] } }, 'query.parameter'],
    ['summary', { where: { 'fact:a': [['x']] } }, 'query.parameter'],
    ['summary', { where: { colour: ['red'] } }, 'query.parameter'],
    ['summary', { where: { status: Array.from({ length: 201 }, () => 'failed') } }, 'query.parameter'],
    [
      'summary',
      { where: Object.fromEntries([...'abcdefghijk'].map((name) => [`fact:${name}`, [1]])) },
      'query.parameter',
    ],
    ['summary', { text: 'x'.repeat(1_001) }, 'query.parameter'],
    ['summary', { query: ['=', 'certnme', 'a'] }, 'query.field'],
    ['summary', { query: ['extract', ['certname'], ['=', 'certname', 'a']] }, 'query.shape'],
    ['summary', { query: ['~', 'certname', '('] }, 'query.refused'],
    ['summary', { unreported_after: '40d' }, 'query.parameter'],
    ['summary', { unreported_after: '10s' }, 'query.parameter'],
    ['facets', { fields: Array.from({ length: 11 }, () => 'status') }, 'query.parameter'],
    ['facets', { fields: [1] }, 'query.parameter'],
    ['node-list', { limit: 0 }, 'query.parameter'],
    ['node-list', { limit: 1_001 }, 'query.parameter'],
    ['node-list', { facts: Array.from({ length: 21 }, (_, i) => `f${i}`) }, 'query.parameter'],
    ['node-list', { facts: ['a', 'a'] }, 'query.parameter'],
    ['node-list', { facts: [Array.from({ length: 102 }, () => 'a').join('.')] }, 'query.limit'],
    ['node-list', { order: 'colour' }, 'query.parameter'],
    ['node-list', { after: '[9,"a"]', order: 'status' }, 'query.parameter'],
    ['node-list', { after: '["9","a"]', order: 'status' }, 'query.parameter'],
    ['node-list', { after: '["2026-99-99T00:00:00+00:00","a"]', order: 'report_timestamp' }, 'query.refused'],
    ['node-list', { after: '[' }, 'query.parameter'],
    ['fact-distribution', {}, 'query.parameter'],
    ['runs', { window: '15d' }, 'query.parameter'],
    ['runs', { step: '45m' }, 'query.parameter'],
    ['runs', { environment: 'x'.repeat(1_001) }, 'query.parameter'],
    ['failures', { limit: 101 }, 'query.parameter'],
    ['failures/groups', { by: 'file' }, 'query.parameter'],
    ['node-list', { cause: 'x' }, 'query.parameter'],
    ['node-list', { failing_class: '\u0000' }, 'query.parameter'],
    ['node-list', { cause: 'a'.repeat(32), failing_class: 'Ntp' }, 'query.parameter'],
    ['package-versions', {}, 'query.parameter'],
    ['search', { q: '  ' }, 'query.parameter'],
    ['search', { q: 'x'.repeat(201) }, 'query.parameter'],
  ])('%s refuses the parameters of case %#', async (path, parameters, code) => {
    const [status, found, text] = await bench.refusal(path, parameters);
    expect([status, found, text.length < 2_000]).toEqual([400, code, true]);
  });

  it('takes hostile texts as values', async () => {
    for (const text of ["'", '"', '\\', '\u0000', '\ud800', '<script>', '$1', '%s', '‮', '{{', "'||(SELECT 1)||'"]) {
      expect(
        await nodeList({ text, where: { environment: [text], 'fact:role': [text] }, query: ['=', 'certname', text] }),
      ).toMatchObject({
        total: 0,
        nodes: [],
      });
      expect(await bench.json('search', { q: `a${text}=${text}b` })).toEqual({ hits: [] });
    }
  });
});

// These tests come last, because they add reports, and other tests count reports.
describe('groups of failures', () => {
  it('counts all nodes of a cause and of a class, and lists exactly these nodes', async () => {
    const many = Array.from({ length: 12 }, (_, index) => `many${index}.example.com`);
    for (const certname of many) await submitRun(bench, certname, { status: 'failed', ago: 1 });
    await bench.projection.settle();
    const { causes } = await bench.json<{ causes: { key: string; nodes: number; certnames: string[] }[] }>('failures', {
      text: 'many',
    });
    expect(causes).toEqual([expect.objectContaining({ nodes: 12, certnames: [...many].sort().slice(0, 10) })]);
    expect(await bench.json('failures/groups', { text: 'many' })).toEqual({
      groups: [{ name: 'Ntp', nodes: 12, resources: 1, examples: ['File[/a]'] }],
      others: 0,
      complete: true,
    });
    expect(await bench.json('failures/groups', { text: 'many', by: 'node', limit: 5 })).toMatchObject({
      groups: Array.from({ length: 5 }, () => ({ nodes: 1, resources: 1 })),
      others: 7,
    });
    for (const filter of [{ cause: causes[0]!.key }, { failing_class: 'Ntp' }]) {
      const listed = await nodeList({ ...filter, text: 'many' });
      expect([listed.total, listed.nodes.map(({ certname }) => certname).sort()]).toEqual([12, [...many].sort()]);
      expect(await nodeList({ ...filter, where: { status: ['changed'] } })).toMatchObject({ total: 0 });
    }
    expect(await nodeList({ failing_class: '' })).toMatchObject({ total: 0, complete: true });
    // The service reads the failures in the order of the certnames, and says whether it has read all of them.
    await bench.projection
      .rows(`INSERT INTO {schema}.resource_events (report, node, ordinal, status, timestamp, resource_type, resource_title, since)
      SELECT e.report, e.node, e.ordinal + k, 'failure', e.timestamp, 'File', '/many', e.since FROM {schema}.resource_events e
      JOIN {schema}.latest_reports l ON l.report = e.report JOIN {schema}.nodes n ON n.node = e.node AND n.certname = 'many11.example.com'
      CROSS JOIN generate_series(1, 20000) k`);
    const read = await nodeList({ failing_class: 'Ntp' });
    expect(read.complete).toBe(false);
    expect(read.nodes.map(({ certname }) => certname).sort()).toEqual([
      'bad1.example.com',
      'bad2.example.com',
      ...[0, 1, 10, 11].map((index) => `many${index}.example.com`),
    ]);
    expect(await bench.json('failures', { limit: 19 })).toMatchObject({ complete: false });
    for (const certname of many)
      await bench.projection.submit('deactivate node', certname, {
        payload: { certname, producer_timestamp: new Date().toISOString() },
      });
    await bench.projection.settle();
    expect(await nodeList({ failing_class: 'Ntp', text: 'many' })).toMatchObject({ total: 0 });
  });
});
