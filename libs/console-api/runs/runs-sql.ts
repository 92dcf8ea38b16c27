import { bind, type Fragment, sql, table } from '#query';

/**
 * What a statement lists for each half hour at most: pairs of environment and kind, and code_ids. The remaining runs
 * are counted without their environment.
 */
const mostGroups = sql`400`;
const mostCodes = sql`100`;
/** Largest number of characters of a code_id. Longer code_ids are not read. */
const longestCode = sql`200`;

const time = (ms: number): Fragment => bind(new Date(ms).toISOString(), 'timestamptz');
const startMs = sql`(extract(epoch FROM date_bin('30 minutes', r.producer_timestamp, 'epoch')) * 1000)::bigint`;

export const bucketsSql = (from: number, to: number): Fragment => sql`WITH runs AS (
    SELECT ${startMs} AS at, r.environment, r.code_id, CASE WHEN r.status = 'failed' THEN 'failed' WHEN r.noop THEN 'noop'
        WHEN r.status = 'changed' THEN 'changed' ELSE 'unchanged' END AS kind, count(*) AS count, min(r.producer_timestamp) AS first
      FROM ${table('reports')} r WHERE r.producer_timestamp >= ${time(from)} AND r.producer_timestamp < ${time(to)} AND r.type = 'agent'
      GROUP BY 1, 2, 3, 4),
    counts AS (SELECT at, environment, kind, sum(count) AS count, row_number() OVER (PARTITION BY at ORDER BY sum(count) DESC) AS ordinal
      FROM runs GROUP BY at, environment, kind),
    codes AS (SELECT at, environment, code_id, min(first) AS first, row_number() OVER (PARTITION BY at ORDER BY sum(count) DESC) AS ordinal
      FROM runs WHERE length(code_id) <= ${longestCode} GROUP BY at, environment, code_id),
    shown AS (SELECT at, CASE WHEN ordinal <= ${mostGroups} THEN environment END AS environment, kind, sum(count) AS count FROM counts GROUP BY 1, 2, 3)
    SELECT json_build_object('runs', (SELECT coalesce(json_agg(json_build_array(c.at, e.name, c.kind, c.count)), '[]')
        FROM shown c LEFT JOIN ${table('environments')} e USING (environment)),
      'codes', (SELECT coalesce(json_agg(json_build_array(c.at, e.name, c.code_id, c.first)), '[]')
        FROM codes c JOIN ${table('environments')} e USING (environment) WHERE c.ordinal <= ${mostCodes}))::text AS row`;

export const codesSql = sql`SELECT coalesce(json_agg(json_build_array(e.name, c.code_id, c.nodes)), '[]')::text AS row FROM (
    SELECT c.environment, c.code_id, count(*) AS nodes FROM ${table('catalogs')} c JOIN ${table('nodes')} n USING (node)
    WHERE length(c.code_id) <= ${longestCode} AND n.deactivated IS NULL AND n.expired IS NULL
    GROUP BY c.environment, c.code_id ORDER BY count(*) DESC LIMIT ${mostCodes}) c JOIN ${table('environments')} e USING (environment)`;
