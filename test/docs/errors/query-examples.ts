import type { FaultCode } from '#fault';
import { defaultLimits } from '#limits';
import { projectionVersion } from '#projections';
import { Permits } from '#query';
import { fromPlain } from '../../../libs/query/ast/json';
import { compileQuery } from '../../../libs/query/compile';
import { explainDatabaseError } from '../../../libs/query/run/database-error';
import { migrated } from './empty-database';
import { type Example, refusal } from './example';
import { answered, type Asked } from './http-client';
import type { LittleService } from './little-service';

const root = '/pdb/query/v4';

/** Requests that are refused because of their query. */
const requests: readonly (readonly [FaultCode, string, Asked])[] = [
  ['pql.syntax', '', { parameters: { query: 'nodes { certname = "web1" & deactivated is null }' } }],
  ['query.json', '/nodes', { parameters: { query: '["=", "certname" "web1"]' } }],
  ['query.several', '/nodes', { parameters: { query: '["=", "certname", "web1"] ["=", "certname", "web2"]' } }],
  ['query.shape', '', { parameters: { query: '["nodes", ["=", "certname", "web1"]]' } }],
  ['query.operator', '/nodes', { parameters: { query: '["like", "certname", "web.*"]' } }],
  ['query.arguments', '/nodes', { parameters: { query: '["and"]' } }],
  ['query.field', '/facts', { parameters: { query: '["extract", ["certname", "facts"]]' } }],
  ['query.value', '/reports', { parameters: { query: '["=", "start_time", "yesterday"]' } }],
  ['query.entity', '', { parameters: { query: '["from", "machines"]' } }],
  ['query.relation', '/nodes', { parameters: { query: '["subquery", "producers", ["=", "name", "puppet"]]' } }],
  ['query.function', '/facts', { parameters: { query: '["extract", [["function", "cuont"]]]' } }],
  ['query.group', '/facts', { parameters: { query: '["extract", ["certname", ["function", "count"]]]' } }],
  ['query.paging', '/nodes', { parameters: { limit: '0' } }],
  ['query.parameter', '/nodes', { parameters: { limt: '10' } }],
  [
    'query.counts-filter',
    '/event-counts',
    { parameters: { summarize_by: 'certname', counts_filter: '[">", "failed", 0]' } },
  ],
  ['query.body', '/nodes', { method: 'POST', body: '["=", "certname", "web1"]' }],
  ['query.method', '/nodes', { method: 'DELETE' }],
  [
    'query.limit',
    '/nodes',
    {
      parameters: { query: `${'["not", '.repeat(25)}["=", "certname", "web1"]${']'.repeat(25)}` },
      given: 'GET /pdb/query/v4/nodes?query=["not", ["not", …, deeper than the limit (here 20)',
    },
  ],
  ['query.refused', '/nodes', { parameters: { query: '["~", "certname", "web("]' } }],
  ['query.record', '/nodes/web9', {}],
  ['query.wait-for', '/nodes', { headers: { 'X-Nodeledger-Wait-For': 'latest' } }],
  ['query.as-of', '/nodes', { parameters: { as_of: 'last Thursday' } }],
  ['query.as-of-future', '/nodes', { parameters: { as_of: '2999-01-01T00:00:00Z' } }],
  ['query.late', '/nodes', { headers: { 'X-Nodeledger-Wait-For': '0-1207' } }],
];

/** Causes every fault of a query that a test can cause. */
export async function queryExamples(service: LittleService): Promise<Example[]> {
  const { url } = service;
  const found: Example[] = [];
  for (const [code, path, asked] of requests) found.push(await answered(code, url, `${root}${path}`, asked));
  found.push(
    await refusal('query.too-long', 'A query of very many regular expressions, with limits raised', () => {
      const limits = { ...defaultLimits, queryConditions: 1e6, queryNodes: 1e9 };
      const ast = ['or', ...Array.from({ length: 70_000 }, (_, at) => ['~', 'certname', `web${at}`])];
      compileQuery(
        { entity: 'nodes', ast: fromPlain(ast) },
        { schema: 'page', edition: 'full', dialect: 'neutral', limits },
      );
    }),
    await service.whileLocked('{schema}.factsets', () =>
      answered('query.timeout', url, `${root}/factsets`, { parameters: { timeout: '1' } }),
    ),
    ...(await pastOf(service)),
    await crowded(service),
    await refusal('query.gone', 'A client that leaves while it waits', () => {
      const reader = { taken: () => 0, waiting: () => false };
      return service.permits.take({ address: '127.0.0.1', gone: AbortSignal.abort(), reader, waitMs: 1 });
    }),
    await refusal('query.database-busy', 'PostgreSQL is shut down during a query', () => {
      const ended = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
      throw explainDatabaseError(ended, 1_000);
    }),
    await otherSchemaVersion(service),
    await noTables(service),
    await stopping(service),
  );
  return found;
}

/**
 * Causes the refusals of moments by tables that keep no history, and by tables whose history begins after the moment.
 */
async function pastOf({ url, bench }: LittleService): Promise<Example[]> {
  const restored = (table: string): string =>
    `INSERT INTO {schema}.${table} SELECT * FROM jsonb_populate_recordset(null::{schema}.${table}, $1)`;
  const starts = await bench.rows('DELETE FROM {schema}.history_starts RETURNING *');
  const none = await answered('query.no-history', url, `${root}/nodes`, {
    parameters: { as_of: '2 days ago' },
    given: 'GET /pdb/query/v4/nodes?as_of=2 days ago, with NODELEDGER_HISTORY=0',
  });
  await bench.rows(restored('history_starts'), [JSON.stringify(starts)]);
  const times = await bench.rows(`DELETE FROM {schema}.history_times RETURNING *`);
  await bench.rows(`INSERT INTO {schema}.history_times VALUES (0, '2020-11-01T08:30:00Z', 1)`);
  const early = await answered('query.as-of-early', url, `${root}/nodes`, { parameters: { as_of: '2020-10-31' } });
  await bench.rows('DELETE FROM {schema}.history_times');
  await bench.rows(restored('history_times'), [JSON.stringify(times)]);
  return [none, early];
}

async function crowded(service: LittleService): Promise<Example> {
  return service.whileLocked('{schema}.factsets', async (wait) => {
    const leave = new AbortController();
    const waiting = [1, 2].map(() => fetch(`${service.url}${root}/factsets`, { signal: leave.signal }).catch(() => 0));
    await wait(2);
    const refused = await answered('query.crowded', service.url, `${root}/nodes`, {
      parameters: { timeout: '1' },
      given:
        'GET /pdb/query/v4/nodes, while two queries of the same address run and NODELEDGER_MAX_QUERIES_PER_CLIENT=2',
    });
    leave.abort();
    await Promise.all(waiting);
    return refused;
  });
}

async function otherSchemaVersion(service: LittleService): Promise<Example> {
  const newer = await service.serve({ queries: { projectionVersion: projectionVersion + 1 } });
  try {
    return await answered('query.other-form', newer.url, `${root}/nodes`);
  } finally {
    await newer.close();
  }
}

async function stopping(service: LittleService): Promise<Example> {
  const permits = new Permits({ total: 1, perAddress: 1, active: 1 });
  permits.close();
  const ending = await service.serve({ queries: { permits } });
  try {
    return await answered('query.stopping', ending.url, `${root}/nodes`, {
      given: 'GET /pdb/query/v4/nodes, while the service stops',
    });
  } finally {
    await ending.close();
  }
}

async function noTables(service: LittleService): Promise<Example> {
  return migrated(async (connectionString) => {
    const empty = await service.serve({ connectionString });
    try {
      return await answered('query.no-tables', empty.url, `${root}/nodes`);
    } finally {
      await empty.close();
    }
  });
}
