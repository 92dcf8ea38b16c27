import { bindPlanIndependent, type Fragment, sql, table } from '#query';
import { baseNodes, matches } from '../nodes/chosen-nodes';
import type { NodeChoice } from '../nodes/node-choice';
import { indexOf } from '../nodes/node-status';
import { utcText } from '../reading/utc-text';

/**
 * Largest numbers of failed events and of reports that the statement reads. One report may have 25,000 failed events.
 */
const mostEvents = sql`20000`;
const mostReports = sql`2000`;
/** Number of characters of a message that are compared. */
const compared = sql`500`;
const shownCertnames = sql`10`;
/**
 * Numbers of nodes for each cause, and of runs for each node, in which the statement searches for the first failed run.
 */
const sampledNodes = sql`5`;
export const sampledRuns = sql`48`;

/**
 * Groups the failures in the latest runs of failed nodes by cause. Two failures have one cause if resource, file and
 * line are equal, and the messages are equal without numbers and the name of the node. If a run failed without a failed
 * event, the cause is the first error in the log of the run.
 */
export function failuresSql(choice: NodeChoice, limit: number): Fragment {
  return sql`WITH ${baseNodes(choice)},
    failing AS MATERIALIZED (SELECT base.node, base.certname, l.report FROM base JOIN ${table('latest_reports')} l USING (node)
      WHERE base.status = ${indexOf('failed')} AND ${matches(choice)}),
    failed_events AS MATERIALIZED (SELECT f.node, f.certname, f.report, e.resource_type, e.resource_title, e.message, e.file, e.line,
        e.containing_class, e.timestamp FROM failing f JOIN ${table('resource_events')} e ON e.report = f.report AND e.status = 'failure'
      LIMIT ${mostEvents}),
    others AS (SELECT f.node, f.certname, f.report, NULL::text AS resource_type, NULL::text AS resource_title, log.message, log.file,
        log.line, NULL::text AS containing_class, r.end_time AS timestamp
      FROM (SELECT * FROM failing f WHERE NOT EXISTS (SELECT FROM failed_events e WHERE e.report = f.report) LIMIT ${mostReports}) f
      JOIN ${table('reports')} r ON r.report = f.report
      LEFT JOIN LATERAL (SELECT one ->> 'message' AS message, one ->> 'file' AS file, CASE WHEN one ->> 'line' ~ '^[0-9]{1,9}$' THEN (one ->> 'line')::int END AS line
        FROM json_array_elements(r.logs) one WHERE one ->> 'level' IN ('err', 'alert', 'emerg', 'crit') LIMIT 1) log ON true),
    events AS MATERIALIZED (SELECT *, md5(json_build_array(resource_type, resource_title, file, line, ${alike})::text) AS key
      FROM (SELECT * FROM failed_events UNION ALL SELECT * FROM others) e),
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
      'complete', (SELECT count(*) FROM failed_events) < ${mostEvents} AND (SELECT count(*) FROM others) < ${mostReports})::text AS row
    FROM shown c JOIN ${table('reports')} r ON r.report = c.report LEFT JOIN since s ON s.key = c.key`;
}

/** The message without numbers and the name of the node, so that messages that differ only in these count as equal. */
const alike = sql`regexp_replace(replace("left"(message, ${compared}), certname, '*'), '0x[0-9a-fA-F]+|[0-9]+', '0', 'g')`;
