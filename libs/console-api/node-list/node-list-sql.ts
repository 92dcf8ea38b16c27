import {
  always,
  bind,
  bindPlanIndependent,
  comma,
  empty,
  type Fragment,
  factAt,
  join,
  label,
  sql,
  table,
} from '#query';
import { baseNodes, factLeaves, matches } from '../nodes/chosen-nodes';
import { statusName } from '../nodes/node-status';
import { utcText } from '../reading/utc-text';
import type { NodeListRequest, OrderField, PageKey } from './node-list-request';

const runsShown = sql`14`;
/** Largest number of characters of a fact. A longer fact is cut off and shown as text. */
const longestFact = sql`1000`;

export function nodeListSql({ choice, facts, order, descending, after, limit }: NodeListRequest): Fragment {
  const sort = sortOf(order);
  const direction = descending ? sql`DESC` : sql`ASC`;
  const columns = facts.map(({ name }, index) => sql`${bindPlanIndependent(name, 'text')}, f.${label('a', index)}`);
  const values = facts.map(
    ({ steps }, index) => sql`, ${shortened(factAt(sql`page.node`, steps))} AS ${label('a', index)}`,
  );
  const most = bindPlanIndependent(String(limit), 'bigint');
  return sql`WITH ${baseNodes(choice)},
    page AS MATERIALIZED (SELECT *, row_number() OVER (ORDER BY sorted ${direction}, certname ${direction}) AS ordinal FROM (
      SELECT * FROM (SELECT base.*, ${sort.value} AS sorted FROM base ${sort.join} WHERE ${matches(choice)}) chosen
      ${after === undefined ? empty : sql`WHERE ${isAfter(after, sort, descending)}`}
      ORDER BY sorted ${direction}, certname ${direction} LIMIT ${most} + 1) sorted)
    SELECT json_build_object('total', (SELECT count(*) FROM base WHERE ${matches(choice)}),
      'complete', ${choice.failure === undefined ? always : sql`(SELECT complete FROM failure)`},
      'nodes', (SELECT coalesce(json_agg(json_build_object(
          'certname', page.certname, 'status', ${statusName(sql`page.status`)}, 'environment', page.environment,
          'report_timestamp', ${utcText(sql`page.report_timestamp`)}, 'latest_report_hash', page.latest_report_hash,
          'noop_pending', coalesce(page.noop_pending, false), 'events', ${latestEvents},
          'facts', json_build_object(${join(columns, comma)}), 'runs', ${latestRuns}) ORDER BY page.ordinal), '[]')
        FROM page CROSS JOIN LATERAL (SELECT 1 ${join(values, empty)}) f WHERE page.ordinal <= ${most}),
      'next', (SELECT json_build_array(last.sorted, last.certname)::text FROM page last
        WHERE last.ordinal = ${most} AND EXISTS (SELECT FROM page WHERE ordinal > ${most})))::text AS row`;
}

interface Sort {
  /** Must never be NULL, because the statement compares it with the value of the last row of the previous page. */
  readonly value: Fragment;
  readonly type: 'numeric' | 'text' | 'timestamptz' | 'jsonb';
  readonly join: Fragment;
}

function sortOf(order: OrderField): Sort {
  switch (order.kind) {
    case 'status':
      return { value: sql`base.status`, type: 'numeric', join: empty };
    case 'certname':
      return { value: sql`base.certname`, type: 'text', join: empty };
    case 'environment':
      return { value: sql`coalesce(base.environment, '')`, type: 'text', join: empty };
    case 'report_timestamp':
      return { value: sql`coalesce(base.report_timestamp, '-infinity')`, type: 'timestamptz', join: empty };
    case 'fact':
      return {
        value: sql`CASE WHEN length(o.value::text) <= ${longestFact} THEN o.value ELSE 'null' END`,
        type: 'jsonb',
        join: sql`LEFT JOIN (SELECT c.node, c.value FROM ${factLeaves(order.keys)}) o ON o.node = base.node`,
      };
  }
}

function isAfter({ value, certname }: PageKey, { type }: Sort, descending: boolean): Fragment {
  const key = type === 'jsonb' ? bind(value, 'jsonb') : bind(type === 'numeric' ? value : JSON.parse(value), type);
  const last = sql`(${key}, ${bind(certname, 'text')})`;
  return descending ? sql`(sorted, certname) < ${last}` : sql`(sorted, certname) > ${last}`;
}

const shortened = (value: Fragment): Fragment =>
  sql`(SELECT CASE WHEN length(v.value::text) <= ${longestFact} THEN v.value ELSE to_jsonb(left(v.value #>> '{}', ${longestFact}) || '…') END
    FROM (SELECT ${value} AS value) v)`;

const latestEvents = sql`(SELECT json_build_object('failure', coalesce(sum(e.failures), 0), 'success', coalesce(sum(e.successes), 0),
    'skipped', coalesce(sum(e.skips), 0), 'noop', coalesce(sum(e.noops), 0))
  FROM ${table('latest_reports')} l JOIN ${table('event_counts')} e ON e.report = l.report WHERE l.node = page.node)`;

/** SQL for a text with one letter for each run, oldest first: `f` failed, `n` no-op, `c` changed, `u` unchanged. */
const latestRuns = sql`(SELECT coalesce(string_agg(CASE WHEN r.status = 'failed' THEN 'f' WHEN r.noop THEN 'n' WHEN r.status = 'changed' THEN 'c'
    ELSE 'u' END, '' ORDER BY r.producer_timestamp), '')
  FROM (SELECT r.status, r.noop, r.producer_timestamp FROM ${table('reports')} r WHERE r.node = page.node AND r.type = 'agent'
    ORDER BY r.producer_timestamp DESC LIMIT ${runsShown}) r)`;
