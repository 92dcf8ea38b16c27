/**
 * In all statements, the arrays `$1` to `$3` contain the keys of entries in the table `timeline`. A statement reads the
 * changes for all entries at once, and returns one JSON list of rows. `ordinal` is the position of the entry in the
 * arrays.
 */
import type { Sql } from '#database';
import { arrayLiteral, isoTime } from '#database/sql-text';
import type { Focus } from './focus';
import type { TimelineKey } from './timeline-entry';

export const mostChanges = 100;
/** A statement reads at most this many characters from the text of one fact, resource or event. The rest is cut off. */
const longestText = 20_000;
/**
 * Largest size in bytes of a value that a statement reads. This is the size in the table, where PostgreSQL may have
 * compressed the value.
 */
const longestStored = 50_000;
/** Largest number of edges that one statement compares for all entries together. */
const mostEdges = 200_000;
export const shownCharacters = 1_000;
/**
 * Largest number of characters that one statement returns. If the result would be longer, the statement omits the
 * changes of the last entries.
 */
const mostCharacters = 4_000_000;

const requested = (schema: string, condition: string): string => `requested AS MATERIALIZED (SELECT k.ordinal, t.*
  FROM unnest($1::bigint[], $2::bigint[], $3::text[]) WITH ORDINALITY AS k(node, log_offset, kind, ordinal)
  JOIN ${schema}.timeline t ON t.node = k.node AND t.log_offset = k.log_offset AND t.kind = k.kind WHERE ${condition})`;

const keyValues = (keys: readonly TimelineKey[]): string[] => [
  arrayLiteral(keys.map(({ node }) => node)),
  arrayLiteral(keys.map(({ offset }) => offset)),
  arrayLiteral(keys.map(({ kind }) => kind)),
];

const collected = `SELECT '[' || coalesce(string_agg(item, ',' ORDER BY ordinal, rank), '') || ']' AS row FROM (
  SELECT ordinal, rank, item, sum(length(item)) OVER (ORDER BY ordinal, rank) AS characters FROM found) f
  WHERE characters <= ${mostCharacters}`;

const nextOf = (schema: string): string => `(SELECT x.log_offset FROM ${schema}.timeline x
  WHERE x.node = a.node AND x.log_offset > a.log_offset AND x.kind = a.kind ORDER BY x.log_offset LIMIT 1)`;

/**
 * Returns SQL that selects two values: how many times the document was submitted before the next entry, and the time of
 * the last of these submissions.
 */
const versionsSeen = (schema: string, table: string): string => `SELECT count(*), max(v.timestamp) FROM (
    SELECT s.timestamp, s.log_offset AS since FROM ${schema}.${table} s WHERE s.node = a.node
    UNION ALL
    SELECT p.timestamp, p.since FROM ${schema}.${table}_past p
    WHERE p.node = a.node AND p.until > a.log_offset AND p.until <= coalesce(a.next, ${maxOffset})) v
  WHERE v.since >= a.log_offset AND v.since < coalesce(a.next, ${maxOffset})`;
const maxOffset = '9223372036854775807';

/**
 * Selects rows with these columns: ordinal, node, offset, kind, uuid, certname, time of receipt, producer timestamp,
 * environment, producer, status, partition, counts of changes, time of the last submission, and number of submissions.
 */
export const entryStatement = (schema: string, keys: readonly TimelineKey[]): Sql => ({
  text: `WITH ${requested(schema, 'true')},
    followed AS MATERIALIZED (SELECT a.*, ${nextOf(schema)} AS next FROM requested a),
    runs AS MATERIALIZED (SELECT r.node, r.log_offset, r.receive_time FROM ${schema}.reports r
      JOIN (SELECT node, min(log_offset) AS first FROM requested WHERE kind = 'report' GROUP BY node) f ON f.node = r.node AND r.log_offset >= f.first),
    found AS (SELECT a.ordinal, 0 AS rank, json_build_array(a.ordinal, a.node::text, a.log_offset, a.kind, a.uuid,
        coalesce(n.certname, (SELECT p.certname FROM ${schema}.nodes_past p WHERE p.node = a.node ORDER BY p.until DESC LIMIT 1)),
        ${isoTime('a.received_at')}, ${isoTime('a.producer_timestamp')}, e.name, u.name, a.status, a.log_partition, a.added, a.changed, a.removed,
        ${isoTime('greatest(s.last, a.received_at)')}, greatest(s.count, 1))::text AS item
      FROM followed a LEFT JOIN ${schema}.nodes n ON n.node = a.node
      LEFT JOIN ${schema}.environments e ON e.environment = a.environment LEFT JOIN ${schema}.producers u ON u.producer = a.producer
      LEFT JOIN LATERAL (
        SELECT * FROM (${versionsSeen(schema, 'factsets')}) f(count, last) WHERE a.kind IN ('facts', 'packages')
        UNION ALL SELECT * FROM (${versionsSeen(schema, 'catalogs')}) c(count, last) WHERE a.kind = 'catalog'
        UNION ALL SELECT * FROM (SELECT count(*), max(r.receive_time) FROM runs r WHERE r.node = a.node AND r.log_offset >= a.log_offset
          AND r.log_offset < coalesce(a.next, ${maxOffset})) r(count, last) WHERE a.kind = 'report') s(count, last) ON true)
    SELECT '[' || coalesce(string_agg(item, ',' ORDER BY ordinal), '') || ']' AS row FROM found`,
  canBePrepared: true,
  values: keyValues(keys),
});

/**
 * Returns SQL that converts a text to JSON, and cuts off a long text. If `unlessLong` has replaced the text by NULL,
 * the result is "…".
 */
const cut = (text: string): string =>
  `CASE WHEN length(${text}) > ${longestText} THEN to_json(left(${text}, ${shownCharacters}) || '…')
    ELSE coalesce(${text}::json, '"…"') END`;
/**
 * Returns SQL that is true if the text of the old row or of the new row is cut off. A row is absent if its `name` is
 * NULL.
 */
const isCut = (name: string): string =>
  `(${['o', 'v'].map((row) => `${row}.${name} IS NOT NULL AND coalesce(length(${row}.text), ${maxOffset}) > ${longestText}`).join(' OR ')})`;
/**
 * Returns SQL that selects NULL instead of a text if the columns that contain the text are long. PostgreSQL knows the
 * size of a column without reading its value.
 */
const unlessLong = (columns: readonly string[], text: string): string =>
  `CASE WHEN ${columns.map((column) => `pg_column_size(${column})`).join(' + ')} <= ${longestStored} THEN ${text} END`;

/**
 * Selects rows with these columns: ordinal, name, whether the fact existed before, whether it exists after, whether a
 * value is cut off, the old value and the new value. Reads all versions of a fact in one pass, from the first entry of
 * its node on.
 */
export const factStatement = (schema: string, keys: readonly TimelineKey[], focus?: Focus): Sql => ({
  text: `WITH ${requested(schema, `t.kind = 'facts'`)},
    wanted AS MATERIALIZED (SELECT a.ordinal, a.node, a.log_offset, f.fact
      FROM requested a, unnest(coalesce($4::bigint[], a.fact_keys)) AS f(fact)),
    nodes AS MATERIALIZED (SELECT node, min(log_offset) AS first, array_agg(DISTINCT fact) AS facts FROM wanted GROUP BY node),
    versions AS MATERIALIZED (
      SELECT n.node, p.fact, p.name, p.since, p.until, ${unlessLong(['p.value'], 'coalesce(p.spelled, p.value::text)')} AS text FROM nodes n CROSS JOIN LATERAL (
        SELECT * FROM ${schema}.facts_past p WHERE p.node = n.node AND p.until >= n.first AND p.fact = ANY (n.facts) OFFSET 0) p
      UNION ALL
      SELECT n.node, f.fact, f.name, f.since, NULL, ${unlessLong(['f.value'], 'coalesce(f.spelled, f.value::text)')} FROM nodes n CROSS JOIN LATERAL (
        SELECT * FROM ${schema}.facts f WHERE f.node = n.node AND f.since >= n.first AND f.fact = ANY (n.facts) OFFSET 0) f),
    found AS MATERIALIZED (SELECT w.ordinal, row_number() OVER (PARTITION BY w.ordinal ORDER BY coalesce(o.name, v.name)) AS rank,
        json_build_array(w.ordinal, coalesce(o.name, v.name), o.name IS NOT NULL, v.name IS NOT NULL, ${isCut('name')},
          ${cut('o.text')}, ${cut('v.text')})::text AS item
      FROM wanted w LEFT JOIN versions o ON o.node = w.node AND o.fact = w.fact AND o.until = w.log_offset
      LEFT JOIN versions v ON v.node = w.node AND v.fact = w.fact AND v.since = w.log_offset
      WHERE o.name IS NOT NULL OR v.name IS NOT NULL)
    ${collected}`,
  canBePrepared: true,
  values: [...keyValues(keys), focus?.kind === 'path' ? arrayLiteral([focus.path.keys.fact]) : null],
});

/**
 * Selects rows with these columns: ordinal, the environment before, the environment after, and for catalogs the code_id
 * before and the code_id after.
 */
export const originStatement = (schema: string, keys: readonly TimelineKey[]): Sql => ({
  text: `WITH ${requested(schema, `t.kind IN ('facts', 'catalog')`)},
    found AS (
      SELECT a.ordinal, 0 AS rank, json_build_array(a.ordinal, o.name, n.name, NULL, NULL)::text AS item
      FROM requested a JOIN ${schema}.factsets_past p ON p.node = a.node AND p.until = a.log_offset
      LEFT JOIN ${schema}.environments o ON o.environment = p.environment LEFT JOIN ${schema}.environments n ON n.environment = a.environment
      WHERE a.kind = 'facts' AND p.environment IS DISTINCT FROM a.environment
      UNION ALL
      SELECT a.ordinal, 0, json_build_array(a.ordinal, o.name, n.name, p.code_id, c.code_id)::text
      FROM requested a JOIN ${schema}.catalogs_past p ON p.node = a.node AND p.until = a.log_offset
      CROSS JOIN LATERAL (
        SELECT s.code_id FROM ${schema}.catalogs s WHERE s.node = a.node AND s.log_offset = a.log_offset
        UNION ALL
        (SELECT s.code_id FROM ${schema}.catalogs_past s WHERE s.node = a.node AND s.until > a.log_offset ORDER BY s.until LIMIT 1)
        LIMIT 1) c
      LEFT JOIN ${schema}.environments o ON o.environment = p.environment LEFT JOIN ${schema}.environments n ON n.environment = a.environment
      WHERE a.kind = 'catalog' AND (p.environment IS DISTINCT FROM a.environment OR p.code_id IS DISTINCT FROM c.code_id))
    ${collected}`,
  canBePrepared: true,
  values: keyValues(keys),
});

const resource = `json_build_object('exported', rc.exported, 'file', rc.file, 'line', rc.line,
  'tags', rc.tags_text::json, 'parameters', rc.parameters_text::json)::text`;

/**
 * Selects rows with these columns: ordinal, type, title, whether the resource existed before, whether it exists after,
 * whether its members are cut off, the members before and the members after.
 */
export const resourceStatement = (schema: string, keys: readonly TimelineKey[], focus?: Focus): Sql => ({
  text: `WITH ${requested(schema, `t.kind = 'catalog'`)},
    moved AS MATERIALIZED (
      SELECT a.ordinal, k.content, EXISTS (SELECT FROM ${schema}.catalog_resources_past p
        WHERE p.node = a.node AND p.until = a.log_offset AND p.content = k.content) AS is_old
      FROM requested a, unnest(a.content_keys) AS k(content) WHERE $4::text IS NULL
      UNION ALL
      SELECT a.ordinal, c.content, v.is_old FROM requested a CROSS JOIN (SELECT rc.content FROM ${schema}.resource_contents rc
        WHERE left(rc.type, 200) = left($4, 200) AND left(rc.title, 200) = left($5, 200) AND rc.type = $4 AND rc.title = $5) c
      CROSS JOIN LATERAL (
        SELECT true AS is_old FROM ${schema}.catalog_resources_past p
          WHERE p.node = a.node AND p.until = a.log_offset AND p.content = c.content
        UNION ALL
        SELECT false FROM ${schema}.catalog_resources s WHERE s.node = a.node AND s.content = c.content AND s.since = a.log_offset
        UNION ALL
        SELECT false FROM ${schema}.catalog_resources_past p
          WHERE p.node = a.node AND p.content = c.content AND p.since = a.log_offset) v),
    texts AS MATERIALIZED (SELECT m.ordinal, m.is_old, rc.type, rc.title, ${unlessLong(['rc.parameters', 'rc.tags'], resource)} AS text
      FROM moved m JOIN ${schema}.resource_contents rc USING (content)),
    found AS MATERIALIZED (SELECT coalesce(o.ordinal, v.ordinal) AS ordinal,
        row_number() OVER (PARTITION BY coalesce(o.ordinal, v.ordinal) ORDER BY coalesce(o.type, v.type), coalesce(o.title, v.title)) AS rank,
        json_build_array(coalesce(o.ordinal, v.ordinal), coalesce(o.type, v.type), coalesce(o.title, v.title),
          o.type IS NOT NULL, v.type IS NOT NULL, ${isCut('type')}, ${cut('o.text')}, ${cut('v.text')})::text AS item
      FROM (SELECT * FROM texts WHERE is_old) o FULL JOIN (SELECT * FROM texts WHERE NOT is_old) v
        ON v.ordinal = o.ordinal AND v.type = o.type AND v.title = o.title)
    ${collected}`,
  canBePrepared: true,
  values: [...keyValues(keys), ...(focus?.kind === 'resource' ? [focus.type, focus.title] : [null, null])],
});

const edgeColumns = ['relationships', 'source_types', 'source_titles', 'target_types', 'target_titles'];

/**
 * Selects rows with these columns: ordinal, how many edges were added or removed in total, and the first of these edges.
 * A row exists only for a catalog that replaced an earlier catalog. The number is null if there are too many edges to
 * compare.
 */
export const edgeStatement = (schema: string, keys: readonly TimelineKey[]): Sql => {
  const next = edgeColumns.map((name) => `s.${name}`).join(', ');
  const both = (row: string, prefix: string): string =>
    edgeColumns.map((name) => `${row}.${name} AS ${prefix}${name}`).join(', ');
  const one = (prefix: string): string =>
    `SELECT * FROM unnest(${edgeColumns.map((name) => `m.${prefix}${name}`).join(', ')})
      AS e(relationship, source_type, source_title, target_type, target_title)`;
  return {
    text: `WITH ${requested(schema, `t.kind = 'catalog'`)},
      measured AS (SELECT a.ordinal, ${both('o', 'old_')}, ${both('v', 'new_')},
        sum(cardinality(o.relationships) + cardinality(v.relationships)) OVER (ORDER BY a.ordinal) <= ${mostEdges} AS is_compared
      FROM requested a JOIN ${schema}.catalog_edges_past o ON o.node = a.node AND o.until = a.log_offset
      CROSS JOIN LATERAL (
        SELECT ${next} FROM ${schema}.catalog_edges s WHERE s.node = a.node AND s.since = a.log_offset
        UNION ALL
        (SELECT ${next} FROM ${schema}.catalog_edges_past s WHERE s.node = a.node AND s.until > a.log_offset ORDER BY s.until LIMIT 1)
        LIMIT 1) v),
      found AS MATERIALIZED (SELECT m.ordinal, 0 AS rank, json_build_array(m.ordinal, d.count, coalesce(d.edges, '[]'))::text AS item
      FROM measured m LEFT JOIN LATERAL (
        SELECT count(*), json_agg(json_build_array(is_new, relationship, source_type, source_title, target_type, target_title)
            ORDER BY number) FILTER (WHERE number <= ${mostChanges}) AS edges
        FROM (SELECT *, row_number() OVER (ORDER BY source_type, source_title, target_type, target_title, relationship, is_new) AS number
          FROM (SELECT false AS is_new, * FROM (${one('old_')} EXCEPT ${one('new_')}) gone
            UNION ALL SELECT true, * FROM (${one('new_')} EXCEPT ${one('old_')}) come) moved) numbered) d ON m.is_compared
      WHERE d.count IS DISTINCT FROM 0)
    ${collected}`,
    canBePrepared: true,
    values: keyValues(keys),
  };
};

/** Selects rows with these columns: ordinal, name, provider, removed versions and added versions. */
export const packageStatement = (schema: string, keys: readonly TimelineKey[], focus?: Focus): Sql => ({
  text: `WITH ${requested(schema, `t.kind = 'packages'`)},
    moved AS (
      SELECT a.ordinal, k.package, coalesce(k.package = ANY (o.packages), false) AS is_old
      FROM requested a LEFT JOIN ${schema}.package_inventory_past o ON o.node = a.node AND o.until = a.log_offset,
        unnest(a.package_keys) AS k(package) WHERE $4::text IS NULL
      UNION ALL
      SELECT a.ordinal, k.package, k.package = ANY (coalesce(o.packages, '{}'))
      FROM requested a LEFT JOIN ${schema}.package_inventory_past o ON o.node = a.node AND o.until = a.log_offset
      LEFT JOIN LATERAL (
        SELECT s.packages FROM ${schema}.package_inventory s WHERE s.node = a.node AND s.since = a.log_offset
        UNION ALL
        SELECT s.packages FROM ${schema}.package_inventory_past s WHERE s.node = a.node AND s.until > a.log_offset AND s.since = a.log_offset
        LIMIT 1) v ON true
      CROSS JOIN (SELECT p.package FROM ${schema}.packages p WHERE left(p.name, 200) = left($4, 200) AND p.name = $4) k
      WHERE k.package = ANY (coalesce(o.packages, '{}')) <> (k.package = ANY (coalesce(v.packages, '{}')))),
    grouped AS (SELECT m.ordinal, p.name, p.provider,
        coalesce(array_agg(p.version ORDER BY p.version) FILTER (WHERE m.is_old), '{}') AS old,
        coalesce(array_agg(p.version ORDER BY p.version) FILTER (WHERE NOT m.is_old), '{}') AS new
      FROM moved m JOIN ${schema}.packages p USING (package) GROUP BY m.ordinal, p.name, p.provider),
    found AS MATERIALIZED (SELECT ordinal, row_number() OVER (PARTITION BY ordinal ORDER BY name, provider) AS rank,
        json_build_array(ordinal, name, provider, old, new)::text AS item FROM grouped)
    ${collected}`,
  canBePrepared: true,
  values: [...keyValues(keys), focus?.kind === 'package' ? focus.name : null],
});

const shortText = (text: string): string =>
  `CASE WHEN length(${text}) > ${shownCharacters} THEN left(${text}, ${shownCharacters}) || '…' ELSE ${text} END`;

const shortJson = (text: string): string =>
  `CASE WHEN length(${text}) > ${shownCharacters} THEN to_json(left(${text}, ${shownCharacters}) || '…') ELSE ${text}::json END`;

/**
 * Selects rows with these columns: ordinal, the status of the previous report, the status of this report, its hash and
 * its first events.
 */
export const reportStatement = (schema: string, keys: readonly TimelineKey[]): Sql => ({
  text: `WITH ${requested(schema, `t.kind = 'report'`)},
    found AS MATERIALIZED (SELECT a.ordinal, 0 AS rank, json_build_array(a.ordinal, p.latest_report_status, a.status, r.hash, coalesce(e.events, '[]'))::text AS item
      FROM requested a LEFT JOIN ${schema}.nodes_past p ON p.node = a.node AND p.until = a.log_offset
      CROSS JOIN LATERAL (SELECT r.report, r.hash FROM ${schema}.reports r WHERE r.node = a.node
        AND r.producer_timestamp = a.producer_timestamp AND r.log_offset = a.log_offset LIMIT 1) r
      CROSS JOIN LATERAL (SELECT json_agg(json_build_object('status', e.status, 'resource_type', ${shortText('e.resource_type')},
          'resource_title', ${shortText('e.resource_title')}, 'property', ${shortText('e.property')}, 'old_value', ${shortJson('e.old_value')},
          'new_value', ${shortJson('e.new_value')}, 'message', ${shortText('e.message')}) ORDER BY e.ordinal) AS events
        FROM (SELECT * FROM ${schema}.resource_events e WHERE e.report = r.report ORDER BY e.ordinal LIMIT ${mostChanges}) e) e)
    ${collected}`,
  canBePrepared: true,
  values: keyValues(keys),
});
