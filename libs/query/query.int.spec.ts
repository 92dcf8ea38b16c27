import { gzipSync } from 'node:zlib';
import { QueryBench } from './testing/query-bench';

let service: QueryBench;
const get: QueryBench['get'] = (...request) => service.get(...request);

beforeAll(async () => {
  service = await QueryBench.open();
});
afterAll(() => service.close());
const json: QueryBench['json'] = (...request) => service.json(...request);
const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.root}${path}`, {
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
    // Makes another hash with the same key, because a key is only the first 32 digits of a hash.
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

describe('formats', () => {
  const rows = { query: ['extract', ['name', 'value'], ['=', 'certname', 'a']], order_by: [{ field: 'name' }] };
  const csv =
    'name,value\r\ncount,3\r\nexact,1.0\r\nkernel,Linux\r\nos,"{""name"": ""Debian"", ""release"": {""major"": ""12""}}"\r\n';

  test('CSV and NDJSON, by parameter and by Accept; numbers as they are kept', async () => {
    for (const answer of [
      await get('/facts', { ...rows, format: 'csv' }),
      await get('/facts', rows, { headers: { accept: 'text/html, text/csv;q=0.9' } }),
    ]) {
      expect(answer.headers.get('content-type')).toBe('text/csv;charset=utf-8');
      expect(await answer.text()).toBe(csv);
    }
    for (const answer of [
      await get('/facts', { ...rows, format: 'ndjson', include_total: 'true' }),
      await get('/facts', { ...rows, include_total: 'true' }, { headers: { accept: 'application/x-ndjson' } }),
    ]) {
      expect([answer.headers.get('content-type'), answer.headers.get('x-records')]).toEqual([
        'application/x-ndjson;charset=utf-8',
        '4',
      ]);
      const lines = (await answer.text()).split('\n');
      expect(lines).toHaveLength(5);
      expect(JSON.parse(lines[2] ?? '')).toEqual({ name: 'kernel', value: 'Linux' });
      expect(lines[1]).toMatch(/1\.0\}$/);
    }
    const answer = await post('', JSON.stringify({ query: 'nodes[certname] { certname = "a" }', format: 'csv' }));
    expect(await answer.text()).toBe('certname\r\na\r\n');
    expect(await (await get('/fact-names', { format: 'csv', limit: '1' })).text()).toBe('value\r\ncount\r\n');
    expect(await (await get('/nodes', { query: ['=', 'certname', 'x'], format: 'csv' })).text()).toBe('');
    const withoutValue = { query: ['extract', ['deactivated'], ['=', 'certname', 'a']], format: 'csv' };
    expect(await (await get('/nodes', withoutValue)).text()).toBe('deactivated\r\n""\r\n');
    const spreadsheet = await get('/facts', { ...rows, format: 'spreadsheet' });
    expect([spreadsheet.headers.get('content-type'), await spreadsheet.text()]).toEqual([
      'text/csv;charset=utf-8',
      csv,
    ]);
  });

  test.each(['text/csv', 'application/x-ndjson', 'application/json', '*/*', 'text/html'])(
    'Vary names Accept, which chooses the format: %s',
    async (accept) => {
      const answer = await get('/nodes', {}, { headers: { accept } });
      expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding');
    },
  );

  test('JSON wherever it is accepted', async () => {
    const answer = await get('/nodes', {}, { headers: { accept: 'text/csv, */*;q=0.1' } });
    expect(answer.headers.get('content-type')).toBe('application/json;charset=utf-8');
  });

  test('a long answer comes in pieces, compressed if the client wants it', async () => {
    const query = ['=', 'certname', 'wide'];
    const answer = await get('/facts', { query, format: 'ndjson' }, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect((await answer.text()).split('\n')).toHaveLength(501);
  });

  test.each<[string, Record<string, string>, string | undefined, number, string]>([
    ['/nodes', { format: 'xml' }, undefined, 400, 'expected one of json, ndjson, csv, spreadsheet'],
    ['/nodes', { format: 'csv', pretty: 'true' }, undefined, 400, "The parameter 'pretty' requires the format json"],
    ['/nodes/a', { format: 'csv' }, undefined, 400, "Unsupported query parameter 'format'"],
    ['/nodes/a', {}, 'text/csv', 406, 'must accept application/json'],
    ['/nodes', {}, 'text/csv;q=0', 406, 'must accept application/json'],
    ['/nodes', {}, 'text/html', 406, 'must accept application/json'],
  ])('%s with %j, Accept: %s', async (path, parameters, accept, status, text) => {
    const answer = await get(path, parameters, accept === undefined ? {} : { headers: { accept } });
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(text)]);
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
    const response = await fetch(`${service.root}${path}`);
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
        for (const text of texts) expect(text).toContain('levels of nesting in a query');
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

describe('tables that become live between two queries', () => {
  const { db, generation } = { db: () => service.projection.db, generation: () => service.projection.generation };
  const makeLive = async (one: number, states: [one: string, others: string] = ['live', 'retired']): Promise<void> => {
    const set = `UPDATE nodeledger.generations SET state = $2 WHERE (generation = $1) = $3`;
    await db().query({ text: set, values: [one, states[1], false] });
    await db().query({ text: set, values: [one, states[0], true] });
  };
  const nodes = async (): Promise<number> => ((await json('/nodes')) as unknown[]).length;

  test('are asked, whether the ones before are still there or not', async () => {
    const reported = service.reported.length;
    const before = await nodes();
    expect(before).toBeGreaterThan(0);
    const empty = await service.projection.newGeneration();
    await makeLive(empty.generation);
    expect(await nodes()).toBe(0);
    expect((await get('/nodes/a')).status).toBe(404);
    await makeLive(generation().generation);
    expect(await nodes()).toBe(before);
    await makeLive(empty.generation);
    expect(await nodes()).toBe(0);
    await makeLive(generation().generation);
    await db().query({ text: `DROP SCHEMA ${empty.schema} CASCADE`, values: [] });
    expect(await nodes()).toBe(before);
    expect(service.reported).toHaveLength(reported);
  });
});
