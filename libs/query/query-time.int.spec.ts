/**
 * Tests queries that wait, that exceed the time limit, or whose client leaves. Also tests queries whose tables change
 * or disappear meanwhile.
 */
import { request as send } from 'node:http';
import { factset } from '../../test/support/documents';
import type { ProjectionBench } from '../../test/support/projection';
import { until } from '../../test/support/until';
import type { QueryRecord } from './index';
import { QueryBench } from './testing/query-bench';

let service: QueryBench;
let bench: ProjectionBench;
let records: QueryRecord[];
const get: QueryBench['get'] = (...request) => service.get(...request);
const json: QueryBench['json'] = (...request) => service.json(...request);

beforeAll(async () => {
  service = await QueryBench.open();
  bench = service.projection;
  records = service.records;
});
afterAll(() => service.close());

describe('waiting for a position', () => {
  const waitFor = (value: string, path = '/nodes', init: RequestInit = {}): Promise<Response> =>
    get(path, {}, { ...init, headers: { 'x-nodeledger-wait-for': value } });

  test('a query waits until what it names is applied', async () => {
    const { partition, offset } = await bench.submit('replace facts', 'late', { payload: factset('late', { x: 1 }) });
    const request = waitFor(`${partition}-${offset}`, '/nodes/late');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await bench.settle();
    const response = await request;
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
    const request = waitFor('1-99999', '/nodes', { signal: leaving.signal });
    await new Promise((resolve) => setTimeout(resolve, 100));
    leaving.abort();
    await expect(request).rejects.toThrow();
    for (let tries = 0; records.at(-1)?.failure !== 'query.gone'; tries++) {
      if (tries > 40) throw new Error('the wait went on');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe('time and absence', () => {
  /** Runs `work` while a table is locked, so that queries on the table wait. */
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
      const request = get('/nodes', {}, { signal: leaving.signal });
      await until(async () => (await waiting()) === 1);
      leaving.abort();
      await expect(request).rejects.toThrow();
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
      send(`${service.root}/facts?timeout=1&query=${encodeURIComponent('["~","name","^wide_"]')}`, (message) => {
        expect(message.statusCode).toBe(200);
        message.on('error', (error) => resolve(error.message));
        message.on('end', () => resolve('complete'));
        // Reads nothing until the time limit is over.
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
    let answer: Promise<unknown> | undefined;
    await bench.db.transaction(async (session) => {
      await session.query({ text: `LOCK TABLE ${schema}.nodes IN ACCESS EXCLUSIVE MODE`, values: [] });
      answer = json('/nodes/a');
      await until(async () => (await waiting()) === 1);
      await session.query({ text: `ALTER SCHEMA ${schema} RENAME TO gen_flipped`, values: [] });
      await session.query(named('gen_flipped'));
    });
    try {
      expect(await answer).toMatchObject({ certname: 'a' });
    } finally {
      await bench.rows(`ALTER SCHEMA gen_flipped RENAME TO ${schema}`);
      await bench.db.query(named(schema));
    }
  });

  test('a table that the live generation lacks is our fault: 500, and reported', async () => {
    await bench.rows(`ALTER TABLE {schema}.nodes RENAME TO nodes_away`);
    try {
      service.reported.length = 0;
      expect((await get('/nodes')).status).toBe(500);
      expect(service.reported).toEqual([expect.objectContaining({ code: '42P01' })]);
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
      const request = get('/nodes', {}, { signal: leaving.signal });
      request.catch(() => undefined);
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
        expect(text).toContain(`The tables have form ${version}, this program reads form ${form}.`);
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
