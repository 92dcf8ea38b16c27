/** Tests queries about the past over HTTP: the forms of `as_of`, the headers of answers, and the refusals. */
import { canonical } from '../../test/history/answers';
import { event, report } from '../../test/support/documents';
import { entities } from './entities/registry';
import { QueryBench } from './testing/query-bench';

let bench: QueryBench;
/** The offset of the next record in each partition. */
let ends: number[];

const hour = 3_600_000;
const ago = (ms: number): string => new Date(Math.floor(Date.now() / 1000) * 1000 - ms).toISOString();
const earliest = ago(48 * hour);
const [recently, early] = [ago(hour / 3), ago(3 * hour)];

beforeAll(async () => {
  bench = await QueryBench.open();
  ends = [...(await bench.projection.log.ends())].sort(([a], [b]) => a - b).map(([, end]) => end);
  await bench.projection.rows('DELETE FROM {schema}.history_times');
  // The first half of the history of each partition is empty.
  await bench.projection.rows(
    `INSERT INTO {schema}.history_times SELECT p.part - 1, t.at, CASE WHEN t.at < now() - interval '1 hour' THEN 1 ELSE p.next END
     FROM unnest($1::bigint[]) WITH ORDINALITY AS p (next, part), unnest($2::timestamptz[]) AS t (at)`,
    [`{${ends.join()}}`, `{${earliest},${ago(hour / 2)}}`],
  );
});
afterAll(() => bench.close());

const names = (rows: unknown): string[] => (rows as { certname: string }[]).map(({ certname }) => certname).sort();
const header = (answer: Response, name: string): string => answer.headers.get(`x-nodeledger-${name}`) ?? '';

test('an answer names its positions and its time, and the same positions get the same answer', async () => {
  const response = await bench.get('/nodes', { as_of: 'now' });
  expect(response.status).toBe(200);
  const time = header(response, 'as-of-time');
  expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
  expect(header(response, 'as-of')).toBe(`${ends.join(',')}@${time}`);
  expect(response.headers.has('x-nodeledger-as-of-removed')).toBe(false);
  const rows = await response.json();
  expect(names(rows)).toEqual(['a', 'b', 'wide']);
  const again = await bench.get('/nodes', { as_of: header(response, 'as-of') });
  expect([header(again, 'as-of'), await again.json()]).toEqual([header(response, 'as-of'), rows]);
});

test('a query about the present names no moment', async () => {
  expect((await bench.get('/nodes')).headers.has('x-nodeledger-as-of')).toBe(false);
});

test.each([
  ['a parameter', '/nodes', { as_of: '20 minutes ago' }],
  ['now() in a parameter', '/nodes', { as_of: 'now() - 20m' }],
  ['a time', '/nodes', { as_of: recently }],
  ['PQL', '', { query: 'nodes { } as of "20 minutes ago"' }],
  ['now() in PQL', '', { query: 'nodes { } as of now() - 20m' }],
  ['JSON with a parameter', '', { query: ['from', 'nodes'], as_of: '20 minutes ago' }],
])('the moment comes as %s', async (_, path, parameters) => {
  const answer = await bench.get(path, parameters);
  expect(names(await answer.json())).toEqual(['a', 'b', 'wide']);
  const before = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value.replace('20 minutes', '3 hours').replace('20m', '3h').replace(recently, early)
        : value,
    ]),
  );
  expect(await bench.json(path, before)).toEqual([]);
});

test('a moment comes in the body of a POST', async () => {
  const ask = (body: object): Promise<unknown> =>
    fetch(`${bench.root}/facts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: ['=', 'name', 'kernel'], ...body }),
    }).then((answer) => answer.json());
  expect(names(await ask({ as_of: '1 minute ago' }))).toEqual(['a', 'b']);
  expect(await ask({ as_of: 'yesterday' })).toEqual([]);
});

test('each kind of path answers as of the moment, and misses what did not exist then', async () => {
  const before = { as_of: 'yesterday' };
  const now = { as_of: 'now' };
  expect(await bench.json('/nodes/a', now)).toMatchObject({ certname: 'a' });
  expect((await bench.get('/nodes/a', before)).status).toBe(404);
  expect(await bench.json('/nodes/a/facts/kernel', now)).toMatchObject([{ value: 'Linux' }]);
  const unknown = await bench.get('/nodes/a/facts/kernel', before);
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: 'No information is known about node a' }]);
  const [{ hash }] = (await bench.json('/reports')) as [{ hash: string }];
  expect(await bench.json(`/reports/${hash}/metrics`, now)).toEqual([]);
  expect((await bench.get(`/reports/${hash}/metrics`, before)).status).toBe(404);
  const counts = { summarize_by: 'certname' };
  expect(await bench.json('/event-counts', { ...now, ...counts })).toMatchObject([{ successes: 2 }]);
  expect(await bench.json('/event-counts', { ...before, ...counts })).toEqual([]);
  expect(await bench.json('/aggregate-event-counts', { ...now, ...counts })).toMatchObject([{ total: 1 }]);
  expect(await bench.json('/environments', before)).toEqual([]);
  expect(await bench.json('/environments', now)).toEqual([{ name: 'production' }]);
  const total = await bench.get('/facts', { ...before, include_total: 'true' });
  expect(total.headers.get('x-records')).toBe('0');
  const csv = await bench.get('/nodes', { ...now, format: 'csv', query: ['extract', ['certname']] });
  expect((await csv.text()).trim().split('\n')).toHaveLength(4);
});

test('explain shows the plan of the question about the moment', async () => {
  const plan = JSON.stringify(await bench.json('/nodes', { as_of: 'now', explain: 'analyze' }));
  expect(plan).toContain('nodes_past');
  expect(plan).not.toContain('Function Scan');
});

test('ast_only shows the query without its moment', async () => {
  const answer = await bench.get('', { query: 'nodes { } as of "yesterday"', ast_only: 'true' });
  expect(await answer.json()).toEqual(['from', 'nodes']);
  expect(header(answer, 'as-of')).toBe('');
});

describe('refuses', () => {
  const refusal = async (as_of: string) => {
    const answer = await bench.get('/nodes', { as_of });
    return { status: answer.status, code: header(answer, 'error'), text: await answer.text(), answer };
  };

  test('a moment in the future', async () => {
    const { status, code, text } = await refusal(ago(-hour));
    expect([status, code]).toEqual([400, 'query.as-of-future']);
    expect(text).toContain('which is in the future: it is 20');
    expect((await refusal('now() + 1m')).code).toBe('query.as-of-future');
  });

  test('a moment before the history, and names the earliest one', async () => {
    const { status, code, text, answer } = await refusal('60 hours ago');
    expect([status, code, header(answer, 'earliest')]).toEqual([400, 'query.as-of-early', earliest]);
    expect(text).toContain(`before the earliest moment that can be asked: ${earliest}.`);
    expect((await refusal('0001-01-01')).code).toBe('query.as-of-early');
    expect((await refusal(earliest)).status).toBe(200);
    expect((await refusal(`${ends.map(() => 0).join(',')}@2026-01-01`)).code).toBe('query.as-of-early');
  });

  test('positions of another log, and positions that the tables have not reached', async () => {
    const few = await refusal('1,1@2026-01-01');
    expect([few.status, few.code]).toEqual([400, 'query.as-of']);
    expect(few.text).toContain('has the positions of 2 partitions, but the log has 4');
    const far = await refusal(`${ends.map((end) => end + 1).join(',')}@2026-01-01`);
    expect([far.status, far.code]).toEqual([400, 'query.as-of-future']);
    expect(far.text).toContain(
      `has position ${ends[0]! + 1} of partition 0, but the tables have only reached ${ends[0]}.`,
    );
  });

  test('what is not a moment', async () => {
    expect(await refusal('recently')).toMatchObject({ status: 400, code: 'query.as-of' });
  });

  test('a moment in the past if the tables keep no history', async () => {
    const kept = await bench.projection.rows('DELETE FROM {schema}.history_starts RETURNING *');
    try {
      expect(await refusal('now')).toMatchObject({ status: 400, code: 'query.no-history' });
    } finally {
      await bench.projection.rows(
        'INSERT INTO {schema}.history_starts SELECT * FROM jsonb_populate_recordset(null::{schema}.history_starts, $1)',
        [JSON.stringify(kept)],
      );
    }
  });
});

test('the time of the moment is that of now() and of node_state', async () => {
  const time = '2026-06-01T00:30:00.000Z';
  const moment = { as_of: `${ends.join(',')}@${time}` };
  const recent = { query: ['>', 'facts_timestamp', '1 hour ago'], ...moment };
  expect(names(await bench.json('/nodes', recent))).toEqual(['a', 'b', 'wide']);
  expect(await bench.json('/nodes', { query: recent.query })).toEqual([]);
  expect(await bench.json('/nodes', { ...recent, query: ['>', 'facts_timestamp', '29 minutes ago'] })).toEqual([]);
});

test('what age limits have removed since is said', async () => {
  await bench.projection.rows(
    `UPDATE {schema}.history_starts SET reports_removed_at = $1::bigint, reports_removed_before = '2026-01-02', events_removed_at = $1::bigint - 1,
       events_removed_before = '2026-01-03', nodes_purged_at = $1::bigint, nodes_purged_before = '2026-01-04' WHERE log_partition = 0`,
    [ends[0]],
  );
  const removed = async (as_of: string): Promise<string> =>
    header(await bench.get('/nodes', { as_of }), 'as-of-removed');
  const reports = 'reports before 2026-01-02T00:00:00.000Z';
  const ofNodes = 'reports of nodes inactive before 2026-01-04T00:00:00.000Z';
  expect(await removed('now')).toBe(`${reports}, ${ofNodes}`);
  expect(await removed('3 hours ago')).toBe(`${reports}, events before 2026-01-03T00:00:00.000Z, ${ofNodes}`);
  await bench.projection.rows('UPDATE {schema}.history_starts SET reports_removed_at = 0, nodes_purged_at = null');
  expect(await removed('now')).toBe('');
});

test('each entity as of the end is what it is now', async () => {
  const some = entities.map(({ name, fields }) => ({
    entity: name,
    // Leaves out the node `wide`, whose facts take 15 MB.
    query: ['from', name, ...(fields.some((field) => field.name === 'certname') ? [['~', 'certname', '^.$']] : [])],
  }));
  for (const { entity, query } of some) {
    const rows = async (as_of: object): Promise<string[]> =>
      ((await bench.json('', { query, ...as_of })) as unknown[]).map((row) => canonical(JSON.stringify(row))).sort();
    expect({ entity, rows: await rows({ as_of: 'now' }) }).toEqual({ entity, rows: await rows({}) });
  }
});

test('a query waits for positions before it looks up its moment', async () => {
  const { projection } = bench;
  const { partition, offset } = await projection.submit('store report', 'b', { payload: report('b', [event('mode')]) });
  const as_of = `${ends.map((end, index) => (index === partition ? offset + 1 : end)).join(',')}@2026-06-01`;
  expect((await bench.get('/reports', { as_of })).status).toBe(400);
  const headers = { 'x-nodeledger-wait-for': `${partition}-${offset}` };
  const waiting = bench.get('/reports', { as_of }, { headers });
  await projection.settle();
  expect(await (await waiting).json()).toHaveLength(2);
});
