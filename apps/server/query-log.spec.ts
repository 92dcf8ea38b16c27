import { openLog } from '#observe';
import type { QueryRecord } from '#query';
import { queryLog } from './query-log';

type Line = Record<string, unknown> & { level: number; msg: string };

const identity = {
  id: 'r1',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  span: {},
} as unknown as QueryRecord['identity'];
const query: QueryRecord = {
  identity,
  route: '/pdb/query/v4/facts/{name}/{value}',
  origin: 'puppetboard',
  ms: 5,
  rows: 3,
  statements: ['SELECT 1 WHERE a = $1', 'SELECT 2'],
};

function written(which: 'off' | 'slow' | 'all', record: Partial<QueryRecord>, level = 'info'): Line | undefined {
  const lines: Line[] = [];
  const log = openLog({ level, destination: { write: (line) => void lines.push(JSON.parse(line) as Line) } });
  queryLog({ queryLog: which, queryLogThreshold: 1_000 }, log)?.({ ...query, ...record });
  expect(lines.length).toBeLessThan(2);
  return lines[0];
}

test.each<['off' | 'slow' | 'all', Partial<QueryRecord>, string | undefined]>([
  ['off', { ms: 5_000, failure: 'query.timeout' }, undefined],
  ['slow', {}, undefined],
  ['slow', { ms: 999 }, undefined],
  ['slow', { ms: 1_000 }, 'a slow query'],
  ['slow', { failure: 'query.field' }, 'a query failed'],
  // The query log omits the following failures, because they can concern many queries at once, and other log lines
  // report them.
  ['slow', { failure: 'query.crowded', ms: 9_000 }, undefined],
  ['slow', { failure: 'database.unreachable', ms: 9_000 }, undefined],
  ['slow', { failure: 'http.broken' }, undefined],
  ['slow', { failure: 'query.gone' }, undefined],
  ['slow', { failure: 'query.gone', ms: 9_000 }, 'a query failed'],
  ['all', {}, 'a query'],
])('%s: %j', (which, record, text) => {
  expect(written(which, record)?.msg).toBe(text);
});

test('a line says who asked what, how long it took and how it ended; the statements at debug only', () => {
  const line = written('slow', { failure: 'query.timeout' });
  expect(line).toMatchObject({
    level: 30,
    requestId: 'r1',
    traceId: '0af7651916cd43dd8448eb211c80319c',
    route: '/pdb/query/v4/facts/{name}/{value}',
    origin: 'puppetboard',
    ms: 5,
    rows: 3,
    code: 'query.timeout',
  });
  expect(line).not.toHaveProperty('sql');
  expect(written('all', {}, 'debug')?.['sql']).toBe('SELECT 1 WHERE a = $1;\nSELECT 2');
  expect(String(written('all', { statements: ['x'.repeat(100_000)] }, 'debug')?.['sql']).length).toBeLessThan(21_000);
});
