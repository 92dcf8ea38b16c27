import { bindPlanIndependent, type Fragment, join, sql } from '#query';
import { baseNodes, factLeaves, matches } from '../nodes/chosen-nodes';
import type { NodeChoice } from '../nodes/node-choice';
import type { NodeField } from '../nodes/node-field';
import { statusName } from '../nodes/node-status';

/** Most values of a field that are shown; the nodes with other values are counted together. */
const mostValues = sql`50`;
/** Characters of JSON. Nobody chooses a longer value from a list. */
const longestValue = sql`1000`;

/** Counts the chosen nodes, and for each field how many nodes have which value. */
export function facetsSql(choice: NodeChoice, fields: readonly NodeField[]): Fragment {
  const facets = fields.map((field) => sql`(${facetSql(choice, field)})`);
  return sql`WITH ${baseNodes(choice)} SELECT json_build_object('total', (SELECT count(*) FROM base WHERE ${matches(choice)}),
    'facets', json_build_array(${join(facets, sql`, `)}))::text AS row`;
}

/** `counted` has the columns `value` (jsonb) and `nodes`. Nodes without a value have no row or the value NULL. */
function facetSql(choice: NodeChoice, field: NodeField): Fragment {
  const chosen = matches(choice, field);
  const counted =
    field.kind === 'fact'
      ? sql`SELECT c.value, count(*) AS nodes FROM (SELECT node FROM base WHERE ${chosen}) b
          JOIN (SELECT c.node, c.value FROM ${factLeaves(field)}) c USING (node) GROUP BY c.value`
      : sql`SELECT to_jsonb(${field.kind === 'status' ? statusName(sql`base.status`) : sql`base.environment`}) AS value,
          count(*) AS nodes FROM base WHERE ${chosen} GROUP BY 1`;
  return sql`WITH counted AS (SELECT value, nodes FROM (${counted}) c WHERE value IS NOT NULL),
    shown AS (SELECT * FROM counted WHERE length(value::text) <= ${longestValue} ORDER BY nodes DESC, value LIMIT ${mostValues})
    SELECT json_build_object('field', ${bindPlanIndependent(field.name, 'text')},
      'values', coalesce((SELECT json_agg(json_build_object('value', value, 'nodes', nodes) ORDER BY nodes DESC, value) FROM shown), '[]'),
      'others', coalesce((SELECT sum(nodes) FROM counted), 0) - coalesce((SELECT sum(nodes) FROM shown), 0),
      'missing', (SELECT count(*) FROM base WHERE ${chosen}) - coalesce((SELECT sum(nodes) FROM counted), 0))`;
}
