import { bind, bindPlanIndependent, empty, type Fragment, sql, table } from '#query';
import type { DriftPart } from './drift-parts';
import type { DriftRequest } from './drift-request';

const mostGroups = sql`100`;
/**
 * The answer lists at most this many certnames for each value, and at most this many different values for each item.
 */
const mostNames = sql`20`;
const mostUnique = sql`200`;
/** Largest number of characters of a value as JSON. A longer value is cut off and becomes a text. */
const longestValue = sql`1000`;

/** CTEs for the groups of active nodes: `grps` (grp, value, size) and `member` (grp, node, certname). */
const members = ({ by, minGroup, nodes }: DriftRequest): Fragment => sql`
  leaf AS MATERIALIZED (SELECT n.node, n.certname, c.value FROM ${table('nodes')} n JOIN ${table('fact_contents')} c ON c.node = n.node
    WHERE c.fact = ${bind(by.keys.fact, 'bigint')} AND c.path = ANY (${bind(by.keys.paths, 'bigint[]')})
      AND n.deactivated IS NULL AND n.expired IS NULL ${nodes === undefined ? empty : sql`AND n.node IN (${nodes})`}),
  counts AS (SELECT value, count(*)::int AS size FROM leaf GROUP BY value),
  grps AS MATERIALIZED (SELECT value, size, row_number() OVER (ORDER BY size DESC, value::text) AS grp FROM counts
    WHERE size >= ${number(minGroup)} ORDER BY size DESC, value::text LIMIT ${mostGroups}),
  member AS MATERIALIZED (SELECT g.grp, l.node, l.certname FROM leaf l JOIN grps g ON g.value = l.value)`;

const number = (value: number): Fragment => bindPlanIndependent(String(value), 'bigint');

const cut = (value: Fragment): Fragment =>
  sql`CASE WHEN length(${value}::text) <= ${longestValue} THEN ${value} ELSE to_jsonb(left(${value} #>> '{}', ${longestValue}) || '…') END`;

export const groupsSql = (request: DriftRequest): Fragment => sql`WITH ${members(request)}
  SELECT json_build_object(
    'groups', (SELECT coalesce(json_agg(json_build_object('group', grp, 'value', ${cut(sql`value`)}, 'nodes', size) ORDER BY grp), '[]') FROM grps),
    'groups_left_out', (SELECT count(*) FROM counts) - (SELECT count(*) FROM grps))::text AS row`;

/**
 * Finds the items in which a few nodes of a group differ from the others: most nodes have the same value, or most nodes
 * do not have the item. If an item has more than half as many different values as nodes, it is listed only in `unique`,
 * because its values always differ.
 */
export function driftSql(part: DriftPart, request: DriftRequest, volatileFacts: readonly string[]): Fragment {
  const majority = number(request.majority);
  const item = part.item;
  return sql`WITH ${members(request)}, ${part.counted(bind(volatileFacts, 'bigint[]'))},
    summed AS (SELECT grp, item, sum(n)::int AS present, count(*)::int AS values, max(n) AS top FROM counted GROUP BY grp, item),
    judged AS MATERIALIZED (SELECT s.grp, s.item, g.size, least(s.present, g.size) AS present,
        s.present >= 3 AND s.values * 2 > s.present AS is_unique,
        CASE WHEN s.top * 100 >= ${majority} * g.size THEN s.top END AS sharing,
        CASE WHEN (g.size - s.present) * 100 >= ${majority} * g.size THEN g.size - s.present END AS lacking
      FROM summed s JOIN grps g ON g.grp = s.grp),
    drifting AS (SELECT *, coalesce(sharing, lacking) AS agreeing,
        row_number() OVER (PARTITION BY grp ORDER BY sharing IS NULL, size - coalesce(sharing, lacking) DESC, item) AS ordinal
      FROM judged WHERE NOT is_unique AND coalesce(sharing, lacking) < size),
    shown AS MATERIALIZED (SELECT * FROM drifting WHERE ordinal <= ${number(request.limit)}),
    best AS (SELECT DISTINCT ON (c.grp, c.item) c.grp, c.item, c.value
      FROM counted c JOIN shown s ON s.grp = c.grp AND s.item = c.item WHERE s.sharing IS NOT NULL ORDER BY c.grp, c.item, c.n DESC, c.value),
    shared AS MATERIALIZED (SELECT s.*, b.value, s.sharing IS NOT NULL AND s.present < s.size AS is_lacked
      FROM shown s LEFT JOIN best b ON b.grp = s.grp AND b.item = s.item),
    ${part.wanted} holding AS MATERIALIZED (${part.holding}),
    other_values AS (SELECT h.grp, h.item, h.value, count(*)::int AS nodes, (array_agg(h.certname ORDER BY h.certname))[1:${mostNames}] AS certnames
      FROM holding h JOIN shared v ON v.grp = h.grp AND v.item = h.item
      WHERE v.value IS NULL OR h.value <> v.value GROUP BY h.grp, h.item, h.value),
    others AS MATERIALIZED (SELECT grp, item, json_agg(json_build_object('value', ${cut(sql`value`)}, 'nodes', nodes, 'certnames', certnames)
        ORDER BY nodes DESC, value) FILTER (WHERE ordinal <= ${mostNames}) AS list, count(*) AS values
      FROM (SELECT *, row_number() OVER (PARTITION BY grp, item ORDER BY nodes DESC, value) AS ordinal FROM other_values) o GROUP BY grp, item),
    missing AS MATERIALIZED (SELECT s.grp, s.item, count(*)::int AS nodes, (array_agg(m.certname ORDER BY m.certname))[1:${mostNames}] AS certnames
      FROM shared s JOIN member m ON m.grp = s.grp LEFT JOIN holding h ON h.grp = s.grp AND h.item = s.item AND h.node = m.node
      WHERE s.is_lacked AND h.node IS NULL GROUP BY s.grp, s.item)
    SELECT json_build_object(
      'groups', (SELECT coalesce(json_agg(json_build_object('group', g.grp,
          'items', (SELECT coalesce(json_agg(json_build_object('item', ${item(sql`s.item`)}, 'has', s.sharing IS NOT NULL,
              'value', ${cut(sql`s.value`)}, 'nodes', s.agreeing, 'others', coalesce(o.list, '[]'), 'values', coalesce(o.values, 0),
              'missing', CASE WHEN x.nodes IS NOT NULL THEN json_build_object('nodes', x.nodes, 'certnames', x.certnames) END)
              ORDER BY s.ordinal), '[]')
            FROM shared s LEFT JOIN others o ON o.grp = s.grp AND o.item = s.item
            LEFT JOIN missing x ON x.grp = s.grp AND x.item = s.item WHERE s.grp = g.grp),
          'items_left_out', (SELECT count(*) FROM drifting d WHERE d.grp = g.grp) - (SELECT count(*) FROM shown s WHERE s.grp = g.grp),
          'equal', (SELECT count(*) FROM judged j WHERE j.grp = g.grp AND NOT j.is_unique AND j.sharing = j.size)) ORDER BY g.grp), '[]') FROM grps g),
      'unique', (SELECT coalesce(json_agg(${item(sql`u.item`)} ORDER BY u.item), '[]')
        FROM (SELECT DISTINCT j.item FROM judged j WHERE j.is_unique ORDER BY j.item LIMIT ${mostUnique}) u),
      'unique_count', (SELECT count(DISTINCT j.item) FROM judged j WHERE j.is_unique))::text AS row`;
}

/**
 * PostgreSQL cannot estimate the number of rows in a CTE. Without these settings, it would join large CTEs row by row,
 * and sort a million rows to make a few thousand groups. The settings end with the transaction.
 */
export const settingsSql = sql`SELECT concat(set_config('enable_nestloop', 'off', true), set_config('enable_sort', 'off', true)) AS row`;

export const volatileSql = sql`SELECT coalesce(json_agg(name ORDER BY name), '[]')::text AS row FROM ${table('volatile_facts')}`;
