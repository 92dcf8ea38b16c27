import type { Session } from '#database';
import { deleteRows, sinceOf } from '../history/move-to-past';
import type { RowSet } from '../row-set';
import { type CountedNode, countNamed, type Counts } from '../timeline/timeline-changes';

interface NewResources {
  /** Columns: node, since. */
  readonly nodes: RowSet;
  /** Columns: node, content, since. */
  readonly resources: RowSet;
}

/** Condition that a stored resource `s` is not in the new catalog of its node `t`. */
const isGone = `s.node = t.node::bigint AND NOT EXISTS (
  SELECT FROM unnest($3::bigint[], $4::uuid[]) AS n(node, content) WHERE n.node = s.node AND n.content = s.content)`;

/**
 * Returns the condition that a resource `t` is not stored. This condition is several times faster than ON CONFLICT.
 * `$1` contains the keys of the nodes.
 */
const ifMissing = (schema: string): string => `WHERE NOT EXISTS (
  SELECT FROM (
    SELECT s.node, s.content FROM ${schema}.catalog_resources s
    WHERE s.node = ANY (ARRAY(SELECT DISTINCT unnest($1::text[])::bigint)) OFFSET 0) s
  WHERE s.node = t.node::bigint AND s.content = t.content::uuid)`;

export async function replaceResources(
  session: Session,
  schema: string,
  { nodes, resources }: NewResources,
): Promise<void> {
  const [ofNodes, contents] = resources.values;
  await session.query({
    text: deleteRows(schema, 'catalog_resources', `USING ${nodes.source} WHERE ${isGone}`, undefined),
    values: [...nodes.values, ofNodes, contents],
  });
  await resources.insert(session, schema, ifMissing(schema));
}

/**
 * Moves the earlier resources to the past. A resource with the same type and title in both catalogs counts as changed.
 */
export async function replaceResourcesWithPast(
  session: Session,
  schema: string,
  { nodes, resources }: NewResources,
): Promise<Map<string, Counts>> {
  const since = sinceOf('catalog_resources');
  const [ofNodes, contents, sinces] = resources.values;
  const rows = await session.query<CountedNode>({
    text: `WITH gone AS (
             DELETE FROM ${schema}.catalog_resources s USING ${nodes.source} WHERE ${isGone}
             RETURNING s.node, s.content, s.${since}, t.since::bigint AS until),
           moved AS (
             INSERT INTO ${schema}.catalog_resources_past (node, content, since, until) SELECT * FROM gone WHERE ${since} < until),
           come AS (
             INSERT INTO ${schema}.catalog_resources (node, content, since)
             SELECT * FROM unnest($3::bigint[], $4::uuid[], $5::bigint[]) AS t(node, content, since) ${ifMissing(schema)} RETURNING node, content),
           both_ways AS (
             SELECT node, content, 1 AS came, 0 AS went FROM come UNION ALL SELECT node, content, 0, 1 FROM gone),
           named AS (
             SELECT b.node, c.type, c.title, sum(b.came)::int AS came, sum(b.went)::int AS went, array_agg(b.content ORDER BY b.went) AS keys
             FROM both_ways b, LATERAL (SELECT type, title FROM ${schema}.resource_contents c WHERE c.content = b.content OFFSET 0) c
             GROUP BY 1, 2, 3),
           ${countNamed('type, title')}`,
    values: [...nodes.values, ofNodes, contents, sinces],
  });
  return new Map(rows.map(({ node, keys, ...counts }) => [node, { ...counts, contentKeys: keys }]));
}
