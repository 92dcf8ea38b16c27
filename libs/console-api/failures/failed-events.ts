import { bind, type Fragment, sql, table } from '#query';

/**
 * Limits on the failed events and reports that a statement reads. One report can have 25,000 failed events. `compared`
 * is the number of characters of a message that are compared.
 */
const mostEvents = sql`20000`;
const mostReports = sql`2000`;
const compared = sql`500`;

/**
 * SQL that replaces the numbers and the certname in a message. If two failures have the same cause, their messages are
 * equal after this replacement.
 */
const alike = sql`regexp_replace(replace("left"(message, ${compared}), certname, '*'), '0x[0-9a-fA-F]+|[0-9]+', '0', 'g')`;

/**
 * Selects the failures of the reports in `failing` (node, certname, report) as `events`. Failures with the same `key`
 * have the same cause: their resource, file and line are equal, and their messages are `alike`. If a run failed without
 * a failed event, its failure is the first error in its log.
 */
export const failedEvents = sql`failed_events AS MATERIALIZED (SELECT f.node, f.certname, f.report, e.resource_type, e.resource_title, e.message, e.file, e.line,
        e.containing_class, e.timestamp FROM (SELECT * FROM failing ORDER BY certname, report) f
      CROSS JOIN LATERAL (SELECT * FROM ${table('resource_events')} e WHERE e.report = f.report AND e.status = 'failure'
        ORDER BY e.ordinal OFFSET 0) e LIMIT ${mostEvents}),
    others AS (SELECT f.node, f.certname, f.report, NULL::text AS resource_type, NULL::text AS resource_title, log.message, log.file,
        log.line, NULL::text AS containing_class, r.end_time AS timestamp
      FROM (SELECT * FROM failing f WHERE NOT EXISTS (SELECT FROM failed_events e WHERE e.report = f.report) ORDER BY f.certname LIMIT ${mostReports}) f
      JOIN ${table('reports')} r ON r.report = f.report
      LEFT JOIN LATERAL (SELECT one ->> 'message' AS message, one ->> 'file' AS file, CASE WHEN one ->> 'line' ~ '^[0-9]{1,9}$' THEN (one ->> 'line')::int END AS line
        FROM json_array_elements(r.logs) one WHERE one ->> 'level' IN ('err', 'alert', 'emerg', 'crit') LIMIT 1) log ON true),
    events AS MATERIALIZED (SELECT *, md5(json_build_array(resource_type, resource_title, file, line, ${alike})::text) AS key
      FROM (SELECT * FROM failed_events UNION ALL SELECT * FROM others) e)`;

export type FailureChoice =
  | { readonly cause: string }
  /**
   * Selects failures by the class that contains the failed resource. An empty text selects the failures without a
   * class.
   */
  | { readonly failingClass: string };

export const hasAllFailures = sql`(SELECT count(*) FROM failed_events) < ${mostEvents} AND (SELECT count(*) FROM others) < ${mostReports}`;

/**
 * `nodes` is an array of the keys of nodes whose latest run has the failure. `complete` says whether the statement has
 * read all failures.
 */
export function nodesWithFailure(choice: FailureChoice): Fragment {
  const test =
    'cause' in choice
      ? sql`key = ${bind(choice.cause, 'text')}`
      : sql`coalesce(containing_class, '') = ${bind(choice.failingClass, 'text')}`;
  return sql`WITH failing AS MATERIALIZED (SELECT n.node, n.certname, l.report FROM ${table('nodes')} n
      JOIN ${table('latest_reports')} l USING (node)
      WHERE n.latest_report_status = 'failed' AND n.deactivated IS NULL AND n.expired IS NULL),
    ${failedEvents}
    SELECT (SELECT array_agg(node) FROM events WHERE ${test}) AS nodes, ${hasAllFailures} AS complete`;
}
