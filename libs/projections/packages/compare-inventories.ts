import { arrayLiteral, type Session } from '#database';
import { type CountedNode, countNamed, type Counts } from '../timeline/timeline-changes';

/**
 * `inventories` maps a node to an array literal with the keys of its new packages. A package with the same name and
 * provider in both inventories is changed if its version differs. If a node has several versions of a package, each new
 * version replaces one old version.
 */
export async function compareInventories(
  session: Session,
  schema: string,
  inventories: ReadonlyMap<string, string>,
): Promise<Map<string, Counts>> {
  if (inventories.size === 0) return new Map();
  const rows = await session.query<CountedNode>({
    text: `WITH t AS MATERIALIZED (
             SELECT t.node, t.packages::bigint[] AS new, coalesce(s.packages, '{}') AS old
             FROM unnest($1::bigint[], $2::text[]) AS t(node, packages) LEFT JOIN ${schema}.package_inventory s USING (node)),
           came AS (SELECT node, unnest(new) AS package FROM t EXCEPT SELECT node, unnest(old) FROM t),
           went AS (SELECT node, unnest(old) AS package FROM t EXCEPT SELECT node, unnest(new) FROM t),
           moved AS (SELECT *, 1 AS came, 0 AS went FROM came UNION ALL SELECT *, 0, 1 FROM went),
           named AS (
             SELECT m.node, p.name, p.provider, sum(m.came)::int AS came, sum(m.went)::int AS went,
               array_agg(m.package ORDER BY m.package) AS keys
             FROM moved m, LATERAL (SELECT name, provider FROM ${schema}.packages p WHERE p.package = m.package OFFSET 0) p
             GROUP BY 1, 2, 3),
           ${countNamed('name, provider')}`,
    values: [arrayLiteral([...inventories.keys()]), arrayLiteral([...inventories.values()])],
  });
  return new Map(rows.map(({ node, keys, ...counts }) => [node, { ...counts, packageKeys: keys }]));
}
