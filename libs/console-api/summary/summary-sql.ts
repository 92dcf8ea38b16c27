import { bindPlanIndependent, type Fragment, join, queryTime, sql, table } from '#query';
import { baseNodes, matches } from '../nodes/chosen-nodes';
import type { NodeChoice } from '../nodes/node-choice';
import { indexOf, nodeStatuses } from '../nodes/node-status';
import { utcText } from '../reading/utc-text';

const mostEnvironments = sql`200`;

export function summarySql(choice: NodeChoice): Fragment {
  const counts = nodeStatuses.map(
    (status) =>
      sql`${bindPlanIndependent(status, 'text')}, count(*) FILTER (WHERE chosen.status = ${indexOf(status)}), `,
  );
  return sql`WITH ${baseNodes(choice)}, chosen AS (SELECT * FROM base WHERE ${matches(choice)})
    SELECT json_build_object('at', ${utcText(queryTime)}, 'total', count(*), 'nodes', json_build_object(${join(counts, sql``)}
      'noop_pending', count(*) FILTER (WHERE chosen.status = ${indexOf('noop')} AND chosen.noop_pending)),
    'environments', (SELECT coalesce(json_agg(json_build_object('name', e.environment, 'nodes', e.nodes)), '[]') FROM (
      SELECT environment, count(*) AS nodes FROM chosen GROUP BY environment
      ORDER BY count(*) DESC, environment LIMIT ${mostEnvironments}) e))::text AS row
    FROM chosen`;
}

/**
 * How far back, in milliseconds, the search for the last report of a node goes at most. The search starts one day ago.
 * Reading older reports would take too long.
 */
const mostBeforeMs = 86_400_000;

/**
 * Counts the nodes that were failed one day ago. These are the nodes whose last report before that time says that the
 * run failed.
 */
export function dayBeforeSql(choice: NodeChoice): Fragment {
  const beforeMs = Math.min(choice.unreportedAfterMs, mostBeforeMs);
  const before = sql`make_interval(secs => ${bindPlanIndependent(String(beforeMs / 1000), 'numeric')}::double precision)`;
  return sql`WITH ${baseNodes(choice)}, earlier AS (SELECT DISTINCT ON (r.node) r.node, r.status FROM ${table('reports')} r
      WHERE r.type = 'agent' AND r.producer_timestamp <= ${queryTime} - interval '1 day'
        AND r.producer_timestamp > ${queryTime} - interval '1 day' - ${before}
      ORDER BY r.node, r.producer_timestamp DESC)
    SELECT json_build_object('failed', count(*))::text AS row FROM base JOIN earlier USING (node)
    WHERE earlier.status = 'failed' AND ${matches(choice)}`;
}
