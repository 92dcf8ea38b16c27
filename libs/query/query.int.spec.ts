import { request as send } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Database, PositionWaits } from '#database';
import { type HttpServer, openHttp } from '#http';
import { defaultLimits } from '#limits';
import { projectionVersion } from '#projections';
import { catalog, edge, event, factset, report, resource } from '../../test/support/documents';
import { testServer } from '../../test/support/postgres';
import { ProjectionBench } from '../../test/support/projection';
import { Places, QueryModule, type QueryRecord } from './index';
import { until } from '../../test/support/until';

let bench: ProjectionBench;
let readDb: Database;
let lookUps: Database;
let waits: PositionWaits;
let server: HttpServer;
const records: QueryRecord[] = [];
/** The errors that nobody expected. */
const reported: unknown[] = [];

beforeAll(async () => {
  bench = await ProjectionBench.open();
  const facts = (certname: string, values: unknown) =>
    bench.submit('replace facts', certname, { payload: factset(certname, values) });
  const ofA = factset('a', { kernel: 'Linux', count: 3, os: { name: 'Debian', release: { major: '12' } }, exact: 'N' });
  await bench.submit('replace facts', 'a', { payload: JSON.stringify(ofA).replace('"N"', '1.0') });
  await facts('b', { kernel: 'FreeBSD', count: 12345678901234567890n.toString() });
  await facts('c', { kernel: 'Linux', count: '3' });
  await bench.submit('replace catalog', 'a', {
    payload: catalog('a', [resource('/etc/a'), resource('/etc/b')], [edge('/etc/a', '/etc/b')]),
  });
  await bench.submit('store report', 'a', { payload: report('a', [event('mode'), event('owner')]) });
  await bench.submit('deactivate node', 'c', {
    payload: { certname: 'c', producer_timestamp: '2026-02-01T00:00:00.000Z' },
  });
  // Large enough that no socket buffer holds it.
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`wide_${i}`, 'x'.repeat(30_000)]));
  await facts('wide', wide);
  await bench.settle();
  expect(bench.deadLetters).toEqual([]);
  const url = new URL(await testServer());
  const [own] = await bench.rows<{ name: string }>('SELECT current_database() AS name');
  url.pathname = `/${own?.name}`;
  readDb = new Database({ connectionString: url.href, max: 8, readOnly: true });
  lookUps = new Database({ connectionString: url.href, max: 1, readOnly: true });
  waits = new PositionWaits(lookUps);
  await waits.open();
  server = await openHttp(
    QueryModule.register({
      database: readDb,
      places: new Places({ total: 8, perAddress: 4, active: 8 }),
      projectionVersion,
      waits,
      waitTimeoutMs: 1_000,
      edition: 'full',
      dialect: 'neutral',
      timeoutMs: 20_000,
      limits: { ...defaultLimits, queryBodyBytes: 100_000 },
      onQuery: (record) => records.push(record),
    }),
    {
      listeners: [{ host: '127.0.0.1', port: 0 }],
      maxBodyBytes: 200_000,
      report: (error) => {
        reported.push(error);
        process.stderr.write(`${String(error)}\n`);
      },
    },
  );
});
afterAll(async () => {
  await waits.close();
  await server.close();
  await readDb.close();
  await lookUps.close();
  await bench.close();
});

const root = (): string => `${server.urls[0]}/pdb/query/v4`;
const get = (path: string, parameters: Record<string, unknown> = {}, init: RequestInit = {}): Promise<Response> => {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return fetch(`${root()}${path}?${new URLSearchParams(texts as [string, string][]).toString()}`, init);
};
const json = async (path: string, parameters: Record<string, unknown> = {}): Promise<unknown> =>
  (await get(path, parameters)).json();
const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${root()}${path}`, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('lists and records', () => {
  test('a list, restricted by its path and narrowed by a query; inactive nodes are left out', async () => {
    expect(await json('/nodes', { query: ['extract', 'certname'], order_by: [{ field: 'certname' }] })).toEqual(
      ['a', 'b', 'wide'].map((certname) => ({ certname })),
    );
    expect(await json('/nodes/a/facts', { query: ['extract', ['name', 'value'], ['~', 'name', '^k']] })).toEqual([
      { name: 'kernel', value: 'Linux' },
    ]);
    expect(await json('/facts/kernel/Linux')).toMatchObject([{ certname: 'a' }]);
    expect(await json('/nodes/c/facts')).toEqual([]);
    expect(await json('/factsets/c/facts/')).toMatchObject({ message: 'Not Found' });
    expect(await json('/factsets/c/facts')).toHaveLength(2);
    expect(await json('/catalogs/a/edges')).toMatchObject([{ source_title: '/etc/a' }]);
    expect(await json('/environments/production/resources/File/%2Fetc%2Fb')).toMatchObject([{ title: '/etc/b' }]);
  });

  test('numbers come as they are kept', async () => {
    expect(await (await get('/facts/exact', { query: ['extract', 'value'] })).text()).toMatch(/:\s*1\.0}/);
  });

  test('a single record over several lines, of inactive nodes too; 404 with a JSON body for unknown ones', async () => {
    const text = await (await get('/nodes/c')).text();
    expect(text).toMatch(/^{\n {2}"/);
    expect(JSON.parse(text)).toMatchObject({ certname: 'c' });
    for (const [path, what] of [
      ['/nodes/x', 'node x'],
      ['/nodes/x/facts/kernel', 'node x'],
      ['/catalogs/b', 'catalog b'],
      ['/catalogs/b/resources', 'catalog b'],
      ['/environments/x/facts', 'environment x'],
      ['/producers/x', 'producer x'],
      ['/reports/0123/events', 'report 0123'],
      ['/reports/0123/logs', 'report 0123'],
    ] as const) {
      const response = await get(path);
      expect([response.status, await response.json()]).toEqual([
        404,
        { error: `No information is known about ${what}` },
      ]);
    }
  });

  test('what belongs to a report', async () => {
    const [{ hash }] = (await json('/reports')) as [{ hash: string }];
    expect(await json(`/reports/${hash}/events`)).toHaveLength(2);
    // Another hash that begins as this one does.
    const other = hash.slice(0, 39) + (hash.endsWith('f') ? 'e' : 'f');
    for (const path of ['events', 'logs', 'metrics']) expect((await get(`/reports/${other}/${path}`)).status).toBe(404);
    const count = async (entity: string, query: unknown): Promise<number> =>
      ((await json(entity, { query })) as unknown[]).length;
    expect(await count('/reports', ['=', 'hash', other])).toBe(0);
    expect(await count('/reports', ['not', ['=', 'hash', other]])).toBe(await count('/reports', ['~', 'hash', '.']));
    expect(await count('/events', ['=', 'report', other])).toBe(0);
    expect(await count('/events', ['=', 'report', hash])).toBe(2);
    expect(await count('/reports', ['in', 'hash', ['array', [other, hash]]])).toBe(1);
    expect(Array.isArray(await json(`/reports/${hash}/logs`))).toBe(true);
    expect(Array.isArray(await json(`/reports/${hash}/metrics`))).toBe(true);
    expect(Array.isArray(await json(`/reports/${hash}/resources`))).toBe(true);
    expect(await (await get(`/reports/${hash}/logs`, { query: '[]' })).text()).toBe(
      "Unsupported query parameter 'query'",
    );
  });

  test('counts', async () => {
    expect(await json('/event-counts', { summarize_by: 'certname' })).toMatchObject([{ subject: { title: 'a' } }]);
    expect(await json('/aggregate-event-counts', { summarize_by: 'certname,resource' })).toHaveLength(2);
  });
});

describe('limits', () => {
  const long = 'x'.repeat(50_000);

  test.each([
    [`/nodes/${long}`, 404],
    [`/nodes/${long}/facts`, 404],
    [`/reports/${long}/logs`, 404],
    [`/${long}`, 404],
    [`/nodes?${long}=1`, 400],
    [`/nodes?query=${long}`, 400],
    [`/facts?query=["=","value",${'9'.repeat(6_000)}]`, 400],
    [`/nodes?query=["~","certname","(${long.slice(0, 9_000)}"]`, 400],
    [`/?query=nodes{${long}}`, 404],
    [`?query=nodes{${long}=1}`, 400],
  ])('%.30s is answered shortly', async (path, status) => {
    const response = await fetch(`${root()}${path}`);
    expect([response.status, (await response.text()).length < 4_096]).toEqual([status, true]);
  });

  test('a query counts the same as a text and as a list', async () => {
    const nested = (levels: number): string => `${'["not",'.repeat(levels)}["=","certname","a"]${']'.repeat(levels)}`;
    for (const [levels, status] of [
      [499, 200],
      [500, 400],
    ] as const) {
      const query = nested(levels);
      const answers = [
        await get('/nodes', { query }),
        await post('/nodes', `{"query":${query}}`),
        await post('/nodes', JSON.stringify({ query })),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
      if (status === 400) {
        const texts = await Promise.all(answers.map((answer) => answer.text()));
        for (const text of texts) expect(text).toContain('NODELEDGER_MAX_QUERY_DEPTH');
      }
    }
  });

  test('lists of many thousand hosts are answered', async () => {
    const hosts = Array.from({ length: 5_500 }, (_, index) => ['=', 'certname', `host${index}`]);
    const query = JSON.stringify(['or', ['=', 'certname', 'a'], ...hosts]).slice(0, 95_000);
    const whole = `${query.slice(0, query.lastIndexOf(',["='))}]`;
    expect(await (await post('/nodes', `{"query":${whole}}`)).json()).toMatchObject([{ certname: 'a' }]);
  });
});

describe('the root', () => {
  test('takes PQL and JSON', async () => {
    const expected = [{ certname: 'a' }];
    expect(await json('', { query: 'nodes[certname] { facts { name = "kernel" and value = "Linux" } }' })).toEqual(
      expected,
    );
    expect(await json('', { query: ['from', 'facts', ['extract', ['certname'], ['=', 'value', 3]]] })).toEqual(
      expected,
    );
  });

  test('ast_only translates without asking, and still refuses what could not be asked', async () => {
    const text = await (
      await get('', { query: 'nodes{certname = "a" or certname in ["b"]}', ast_only: 'true' })
    ).text();
    expect(text).toBe(
      '[ "from", "nodes", [ "or", [ "=", "certname", "a" ], [ "in", "certname", [ "array", [ "b" ] ] ] ] ]',
    );
    expect((await get('', { query: 'nodes{nope = "a"}', ast_only: 'true' })).status).toBe(400);
  });

  test('explain gives the plan with what it cost', async () => {
    const [first] = (await json('', { query: 'nodes{}', explain: 'analyze' })) as {
      'query plan': { Plan: object }[];
    }[];
    expect(first?.['query plan'][0]?.Plan).toMatchObject({ 'Actual Loops': 1 });
  });
});

describe('paging', () => {
  const order = [{ field: 'name', order: 'desc' }];
  test('the total counts what limit and offset leave out, also when no row is left', async () => {
    const query = ['~', 'name', '^wide_'];
    const page = await get('/facts', {
      query: ['extract', ['name'], query],
      limit: 3,
      offset: 1,
      order_by: order,
      include_total: 'true',
    });
    expect([page.headers.get('x-records'), await page.json()]).toEqual([
      '500',
      [{ name: 'wide_98' }, { name: 'wide_97' }, { name: 'wide_96' }],
    ]);
    const beyond = await get('/facts', { query, offset: 1000, include_total: 'true' });
    expect([beyond.headers.get('x-records'), await beyond.json()]).toEqual(['500', []]);
    expect((await get('/facts', { limit: 1 })).headers.get('x-records')).toBeNull();
  });

  test('a long answer keeps its order and is complete, with and without a total', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `wide_${i}`)
      .sort()
      .reverse();
    for (const include_total of ['true', 'false']) {
      const rows = (await json('/facts', { query: ['~', 'name', '^wide_'], order_by: order, include_total })) as {
        name: string;
        value: string;
      }[];
      expect(rows.map(({ name }) => name)).toEqual(names);
      expect(rows.every(({ value }) => value.length === 30_000)).toBe(true);
    }
  });
});

describe('POST', () => {
  test('takes the same names as JSON; the query as list or text; the URL does not count', async () => {
    const bodies = [
      '{"query":["=","certname","a"]}',
      '{"query":"[\\"=\\",\\"certname\\",\\"a\\"]"}',
      '{"limit":1,"order_by":[{"field":"certname"}],"query":null}',
    ];
    for (const body of bodies)
      expect(await (await post('/nodes?nope=1', body)).json()).toMatchObject([{ certname: 'a' }]);
    expect(await (await post('/nodes', gzipSync(bodies[0]!), { 'content-encoding': 'gzip' })).json()).toHaveLength(1);
    expect(await (await post('/nodes', '')).json()).toHaveLength(3);
    expect(
      await (
        await post('', '{"query":"nodes{certname=\\"a\\"}"}', { 'content-type': 'application/json; charset=utf-8' })
      ).json(),
    ).toHaveLength(1);
  });

  test('other content types are 415, bodies that are no object 400, too large ones 413', async () => {
    expect((await post('/nodes', 'query=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415);
    for (const body of ['[1]', '"x"', 'nope', '{"query":5}', '{"limit":1.5}'])
      expect((await post('/nodes', body)).status).toBe(400);
    expect(
      (await post('/nodes', gzipSync(`{"query":"${' '.repeat(100_000)}"}`), { 'content-encoding': 'gzip' })).status,
    ).toBe(413);
  });
});

describe('refusals', () => {
  test.each([
    ['/nodes', { query: ['~', 'certname', '['] }, /^ERROR: invalid regular expression/],
    ['/nodes', { query: ['=', 'nope', 1] }, /'nope' is not a queryable object for nodes/],
    ['/nodes', { query: '["=",' }, /^Json parse error at line 1/],
    ['', { query: 'nodes {' }, /^PQL parse error at line 1, column 8/],
  ])('%s %j is 400, plain text', async (path, parameters, text) => {
    const response = await get(path, parameters);
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/plain;charset=utf-8']);
    expect(await response.text()).toMatch(text);
  });

  test('other methods 400, other answers than JSON 406, other paths 404', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
      expect((await get('/nodes', {}, { method })).status).toBe(400);
    expect((await get('/nodes', {}, { headers: { accept: 'text/html' } })).status).toBe(406);
    for (const path of ['/', '/nope', '/nodes/a/', '/edges/x', '/facts/a/b/c'])
      expect((await get(path)).status).toBe(404);
  });

  test('a text that PostgreSQL cannot hold finds nothing', async () => {
    expect((await get('/nodes', { query: ['=', 'certname', 'a\u0000b'] })).status).toBe(200);
  });
});

describe('waiting for a position', () => {
  const waitFor = (value: string, path = '/nodes', init: RequestInit = {}): Promise<Response> =>
    get(path, {}, { ...init, headers: { 'x-nodeledger-wait-for': value } });

  test('a query waits until what it names is applied', async () => {
    const { partition, offset } = await bench.submit('replace facts', 'late', { payload: factset('late', { x: 1 }) });
    const asked = waitFor(`${partition}-${offset}`, '/nodes/late');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await bench.settle();
    const response = await asked;
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ certname: 'late' })]);
    expect((await waitFor(`${partition}-${offset},0-0`, '/nodes/late')).status).toBe(200);
  });

  test('past its time it is a 504 that says where the tables stand', async () => {
    const end = (await bench.log.ends()).get(1) ?? 0;
    const start = performance.now();
    const response = await waitFor(`1-${end + 5}, 1-0, 2-99999`);
    expect([response.status, response.headers.get('content-type')]).toEqual([504, 'application/json;charset=utf-8']);
    expect(await response.json()).toEqual({
      error: `The tables did not reach position 1-${end + 5} and 1 other within 1 s: the next record that they take is 1-${end}.`,
    });
    expect(performance.now() - start).toBeLessThan(3_000);
    expect(records.at(-1)).toMatchObject({ route: '/pdb/query/v4/nodes', failure: 'query.late' });
  });

  test.each([
    ['tomorrow', /'tomorrow' where a position is expected/],
    ['44-1', /names 44-1, but the log has 4 partitions/],
  ])('%s is a 400 that says what is right', async (value, message) => {
    const response = await waitFor(value);
    const text = await response.text();
    expect([response.status, text]).toEqual([400, expect.stringMatching(message)]);
    expect(text).toContain('X-Nodeledger-Position of the answer to a command, such as 3-1207');
  });

  test('a client that leaves ends its wait', async () => {
    const leaving = new AbortController();
    const asked = waitFor('1-99999', '/nodes', { signal: leaving.signal });
    await new Promise((resolve) => setTimeout(resolve, 100));
    leaving.abort();
    await expect(asked).rejects.toThrow();
    for (let tries = 0; records.at(-1)?.failure !== 'query.gone'; tries++) {
      if (tries > 40) throw new Error('the wait went on');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe('time and absence', () => {
  /** Holds a table so that a query on it waits. */
  async function whileHeld(work: () => Promise<void>): Promise<void> {
    await bench.db.transaction(async (session) => {
      await session.query({ text: `LOCK TABLE ${bench.generation.schema}.nodes IN ACCESS EXCLUSIVE MODE`, values: [] });
      await work();
    });
  }

  async function waiting(): Promise<number> {
    const [row] = await bench.rows<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.n ?? 0;
  }

  test('a query that reaches its timeout before the first row is a 500, and stops in PostgreSQL', async () => {
    await whileHeld(async () => {
      const start = performance.now();
      const response = await get('/nodes', { timeout: '1', origin: 'spec' });
      expect([response.status, await response.text()]).toEqual([
        500,
        'The query took longer than its timeout of 1 seconds.',
      ]);
      expect(performance.now() - start).toBeLessThan(3000);
      await until(async () => (await waiting()) === 0);
    });
    expect(records.at(-1)).toMatchObject({ route: '/pdb/query/v4/nodes', origin: 'spec', failure: 'query.timeout' });
  });

  test('a client that leaves stops its statement within a second', async () => {
    await whileHeld(async () => {
      const leaving = new AbortController();
      const asked = get('/nodes', {}, { signal: leaving.signal });
      await until(async () => (await waiting()) === 1);
      leaving.abort();
      await expect(asked).rejects.toThrow();
      const start = performance.now();
      await until(async () => (await waiting()) === 0);
      expect(performance.now() - start).toBeLessThan(1000);
    });
    await until(async () => records.at(-1)?.failure === 'query.gone');
  });

  test('waiting for a connection counts as well', async () => {
    await whileHeld(async () => {
      const started = performance.now();
      const statuses = await Promise.all(
        Array.from({ length: 8 }, async () => (await get('/nodes', { timeout: '1' })).status),
      );
      expect(statuses).toEqual(Array(8).fill(500));
      expect(performance.now() - started).toBeLessThan(1900);
    });
    expect((await get('/nodes')).status).toBe(200);
  });

  test('past the first rows, a timeout breaks the connection: the client sees that the rest is missing', async () => {
    const outcome = await new Promise<string>((resolve, reject) => {
      send(`${root()}/facts?timeout=1&query=${encodeURIComponent('["~","name","^wide_"]')}`, (message) => {
        expect(message.statusCode).toBe(200);
        message.on('error', (error) => resolve(error.message));
        message.on('end', () => resolve('complete'));
        // Reads nothing until the timeout is over.
        setTimeout(() => message.resume(), 1500);
      })
        .on('error', reject)
        .end();
    });
    expect(outcome).toBe('aborted');
  });

  test('a generation that was replaced a moment ago is not missed by anyone who asks', async () => {
    expect(await json('/nodes/a')).toMatchObject({ certname: 'a' });
    const { schema, generation } = bench.generation;
    await bench.rows(`ALTER SCHEMA {schema} RENAME TO gen_flipped`);
    await bench.rows(`UPDATE nodeledger.generations SET schema_name = 'gen_flipped' WHERE generation = ${generation}`);
    try {
      expect(await json('/nodes/a')).toMatchObject({ certname: 'a' });
    } finally {
      await bench.rows(`ALTER SCHEMA gen_flipped RENAME TO ${schema}`);
      await bench.rows(`UPDATE nodeledger.generations SET schema_name = '${schema}' WHERE generation = ${generation}`);
    }
  });

  test('tables that vanish under a query that waits for them are asked again where they are now', async () => {
    const { schema, generation } = bench.generation;
    const named = (name: string) => ({
      text: `UPDATE nodeledger.generations SET schema_name = '${name}' WHERE generation = ${generation}`,
      values: [],
    });
    let asked: Promise<unknown> | undefined;
    await bench.db.transaction(async (session) => {
      await session.query({ text: `LOCK TABLE ${schema}.nodes IN ACCESS EXCLUSIVE MODE`, values: [] });
      asked = json('/nodes/a');
      await until(async () => (await waiting()) === 1);
      await session.query({ text: `ALTER SCHEMA ${schema} RENAME TO gen_flipped`, values: [] });
      await session.query(named('gen_flipped'));
    });
    try {
      expect(await asked).toMatchObject({ certname: 'a' });
    } finally {
      await bench.rows(`ALTER SCHEMA gen_flipped RENAME TO ${schema}`);
      await bench.db.query(named(schema));
    }
  });

  test('a table that the live generation lacks is our fault: 500, and reported', async () => {
    await bench.rows(`ALTER TABLE {schema}.nodes RENAME TO nodes_away`);
    try {
      reported.length = 0;
      expect((await get('/nodes')).status).toBe(500);
      expect(reported).toEqual([expect.objectContaining({ code: '42P01' })]);
    } finally {
      await bench.rows(`ALTER TABLE {schema}.nodes_away RENAME TO nodes`);
    }
    expect((await get('/nodes')).status).toBe(200);
  });

  test('without control tables the service says when to come back', async () => {
    await bench.rows(`ALTER TABLE nodeledger.generations RENAME TO generations_away`);
    try {
      const response = await get('/nodes');
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    } finally {
      await bench.rows(`ALTER TABLE nodeledger.generations_away RENAME TO generations`);
    }
  });

  test('look-ups of positions are answered although every place is taken by a query that hangs', async () => {
    await whileHeld(async () => {
      const hanging = Array.from({ length: 4 }, () => get('/nodes', { timeout: '2' }));
      await until(async () => (await waiting()) === 4);
      const late = await get('/nodes', { timeout: '1' }, { headers: { 'x-nodeledger-wait-for': '1-99999' } });
      expect([late.status, await late.json()]).toEqual([
        504,
        { error: expect.stringMatching(/the next record that they take is 1-\d+/) as string },
      ]);
      await Promise.all(hanging);
    });
  });

  test('a client that leaves the queue is gone at once; who has no place in time is told when to come back', async () => {
    const hanging: Promise<Response>[] = [];
    await whileHeld(async () => {
      hanging.push(...Array.from({ length: 4 }, () => get('/nodes', { timeout: '30' })));
      await until(async () => (await waiting()) === 4);
      const leaving = new AbortController();
      const asked = get('/nodes', {}, { signal: leaving.signal });
      asked.catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 200));
      leaving.abort();
      await until(async () => records.at(-1)?.failure === 'query.gone');
      const crowded = await get('/nodes', { timeout: '1' });
      expect([crowded.status, crowded.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await crowded.text()).toContain('(NODELEDGER_MAX_QUERIES');
      expect(records.at(-1)).toMatchObject({ route: '/pdb/query/v4/nodes', failure: 'query.crowded', rows: 0 });
    });
    expect((await Promise.all(hanging)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await get('/nodes')).status).toBe(200);
  });

  test('all subjects of aggregated counts are counted within one timeout', async () => {
    const { schema } = bench.generation;
    await bench.db.transaction(async (session) => {
      await session.query({ text: `LOCK TABLE ${schema}.resource_events IN ACCESS EXCLUSIVE MODE`, values: [] });
      const start = performance.now();
      const response = await get('/aggregate-event-counts', {
        summarize_by: 'certname,resource,containing_class',
        query: ['=', 'status', 'success'],
        timeout: '1',
      });
      expect(response.status).toBe(500);
      expect(performance.now() - start).toBeLessThan(2_500);
    });
  });

  test('a timeout beyond the longest counts as the longest', async () => {
    for (const timeout of ['2147484', '999999999']) expect((await get('/nodes', { timeout })).status).toBe(200);
  });

  test('tables of another form are not asked: 503 says which program to start', async () => {
    const { generation, projectionVersion: form } = bench.generation;
    const become = (version: number) =>
      bench.rows(`UPDATE nodeledger.generations SET projection_version = ${version} WHERE generation = ${generation}`);
    try {
      for (const [version, advice] of [
        [form + 1, 'Start the newer program'],
        [form - 1, 'Start a projector of this version'],
      ] as const) {
        await become(version);
        await new Promise((resolve) => setTimeout(resolve, 300));
        const response = await get('/nodes');
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
        const text = await response.text();
        expect(text).toContain(`The tables have form ${version}, this program asks form ${form}.`);
        expect(text).toContain(advice);
      }
    } finally {
      await become(form);
    }
    expect((await get('/nodes')).status).toBe(200);
  });

  test('without tables the service says when to come back', async () => {
    await bench.rows(`UPDATE nodeledger.generations SET state = 'building'`);
    try {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const response = await get('/nodes');
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    } finally {
      await bench.rows(`UPDATE nodeledger.generations SET state = 'live'`);
    }
  });
});
