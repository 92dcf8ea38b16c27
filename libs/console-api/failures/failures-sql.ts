import { bindPlanIndependent, type Fragment, sql, table } from '#query';
import { baseNodes, matches } from '../nodes/chosen-nodes';
import type { NodeChoice } from '../nodes/node-choice';
import { indexOf } from '../nodes/node-status';
import { utcText } from '../reading/utc-text';
import { failedEvents, hasAllFailures } from './failed-events';

const shownCertnames = sql`10`;
/**
 * To find how long a cause has made runs fail, the statement reads the latest runs of a few nodes with this cause.
 * These are the numbers of nodes and of runs for each node.
 */
const sampledNodes = sql`5`;
export const sampledRuns = sql`48`;

const failing = (choice: NodeChoice): Fragment =>
  sql`failing AS MATERIALIZED (SELECT base.node, base.certname, l.report FROM base JOIN ${table('latest_reports')} l USING (node)
      WHERE base.status = ${indexOf('failed')} AND ${matches(choice)})`;

export function failuresSql(choice: NodeChoice, limit: number): Fragment {
  return sql`WITH ${baseNodes(choice)},
    ${failing(choice)},
    ${failedEvents},
    causes AS (SELECT key, min(resource_type) AS resource_type, min(resource_title) AS resource_title, min(file) AS file, min(line) AS line,
        min(containing_class) AS class, count(DISTINCT node) AS nodes,
        (array_agg(message ORDER BY timestamp DESC, certname))[1] AS message, (array_agg(report ORDER BY timestamp DESC, certname))[1] AS report,
        (array_agg(DISTINCT certname))[1:${shownCertnames}] AS certnames
      FROM events GROUP BY key),
    shown AS MATERIALIZED (SELECT * FROM causes ORDER BY nodes DESC, key LIMIT ${bindPlanIndependent(String(limit), 'bigint')}),
    streaks AS (SELECT c.key, s.node, r.producer_timestamp, r.nth,
        bool_and(r.has) OVER (PARTITION BY c.key, s.node ORDER BY r.nth) AS fails
      FROM shown c
      CROSS JOIN LATERAL (SELECT DISTINCT certname, node FROM events e WHERE e.key = c.key ORDER BY certname LIMIT ${sampledNodes}) s
      CROSS JOIN LATERAL (SELECT r.producer_timestamp, row_number() OVER (ORDER BY r.producer_timestamp DESC) AS nth,
          r.status = 'failed' AND CASE WHEN c.resource_type IS NULL THEN NOT EXISTS (SELECT FROM ${table('resource_events')} e
              WHERE e.report = r.report AND e.status = 'failure')
            ELSE EXISTS (SELECT FROM ${table('resource_events')} e WHERE e.report = r.report AND e.status = 'failure'
              AND e.resource_type = c.resource_type AND e.resource_title = c.resource_title) END AS has
        FROM (SELECT r.report, r.status, r.producer_timestamp FROM ${table('reports')} r WHERE r.node = s.node AND r.type = 'agent'
          ORDER BY r.producer_timestamp DESC LIMIT ${sampledRuns}) r) r),
    since AS (SELECT key, min(producer_timestamp) AS since, max(nth) AS runs FROM streaks WHERE fails GROUP BY key)
    SELECT json_build_object('causes', coalesce(json_agg(json_build_object('key', c.key, 'resource_type', c.resource_type,
        'resource_title', "left"(c.resource_title, 1000), 'message', "left"(c.message, 2000), 'file', c.file, 'line', c.line,
        'class', c.class, 'nodes', c.nodes, 'certnames', c.certnames, 'since', ${utcText(sql`s.since`)},
        'since_exact', coalesce(s.runs, 0) < ${sampledRuns}, 'runs', coalesce(s.runs, 1),
        'latest_report', r.hash) ORDER BY c.nodes DESC, c.key), '[]'),
      'others', (SELECT count(*) FROM causes) - count(*),
      'complete', ${hasAllFailures})::text AS row
    FROM shown c JOIN ${table('reports')} r ON r.report = c.report LEFT JOIN since s ON s.key = c.key`;
}

const shownResources = sql`3`;

export function failureGroupsSql(choice: NodeChoice, by: 'class' | 'node', limit: number): Fragment {
  const name = by === 'class' ? sql`coalesce(containing_class, '')` : sql`certname`;
  return sql`WITH ${baseNodes(choice)},
    ${failing(choice)},
    ${failedEvents},
    groups AS (SELECT name, count(DISTINCT node) AS nodes, count(DISTINCT resource) AS resources,
        (array_agg(DISTINCT resource ORDER BY resource))[1:${shownResources}] AS examples
      FROM (SELECT ${name} AS name, node, coalesce("left"(resource_type || '[' || resource_title || ']', 1000), '') AS resource FROM events) e
      GROUP BY name),
    shown AS (SELECT * FROM groups ORDER BY nodes DESC, resources DESC, name LIMIT ${bindPlanIndependent(String(limit), 'bigint')})
    SELECT json_build_object('groups', coalesce(json_agg(json_build_object('name', name, 'nodes', nodes, 'resources', resources,
        'examples', examples) ORDER BY nodes DESC, resources DESC, name), '[]'),
      'others', (SELECT count(*) FROM groups) - count(*), 'complete', ${hasAllFailures})::text AS row FROM shown`;
}
