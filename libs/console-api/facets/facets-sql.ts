import { bindPlanIndependent, type Fragment, join, sql } from '#query';
import { baseNodes, factLeaves, matches } from '../nodes/chosen-nodes';
import type { NodeChoice } from '../nodes/node-choice';
import type { NodeField } from '../nodes/node-field';
import { statusName } from '../nodes/node-status';
import { valueCounts } from '../nodes/value-counts';

const mostValues = sql`50`;

export function facetsSql(choice: NodeChoice, fields: readonly NodeField[]): Fragment {
  const facets = fields.map((field) => sql`(${facetSql(choice, field)})`);
  return sql`WITH ${baseNodes(choice)} SELECT json_build_object('total', (SELECT count(*) FROM base WHERE ${matches(choice)}),
    'facets', json_build_array(${join(facets, sql`, `)}))::text AS row`;
}

function facetSql(choice: NodeChoice, field: NodeField): Fragment {
  const chosen = matches(choice, field);
  // Groups by the stored columns first, and converts only the groups to JSON, because comparing JSON values takes
  // longer.
  const [value, group] =
    field.kind === 'status' ? [statusName(sql`status`), sql`status`] : [sql`environment`, sql`environment`];
  const { ctes, members } = valueCounts({
    counted:
      field.kind === 'fact'
        ? sql`SELECT c.value, count(*) AS nodes FROM (SELECT node FROM base WHERE ${chosen}) b
            JOIN (SELECT c.node, c.value FROM ${factLeaves(field.keys)}) c USING (node) GROUP BY c.value`
        : sql`SELECT to_jsonb(${value}) AS value, nodes FROM (SELECT ${group}, count(*) AS nodes FROM base WHERE ${chosen} GROUP BY 1) g`,
    total: sql`(SELECT count(*) FROM base WHERE ${chosen})`,
    most: mostValues,
    shown: sql`json_build_object('value', value, 'nodes', nodes)`,
  });
  return sql`WITH ${ctes} SELECT json_build_object('field', ${bindPlanIndependent(field.name, 'text')}, ${members})`;
}
