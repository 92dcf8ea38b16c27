import {
  all,
  always,
  any,
  bind,
  comma,
  empty,
  type Fragment,
  join,
  label,
  type LeafKeys,
  nodesWithAny,
  sql,
  table,
  type AstJson,
} from '#query';
import { nodesWithFailure } from '../failures/failed-events';
import type { NodeChoice } from './node-choice';
import type { NodeField } from './node-field';
import { indexOf, isNodeStatus, statusSql } from './node-status';

const environment = sql`coalesce(n.report_environment, n.catalog_environment, n.facts_environment)`;

/**
 * Returns SQL for the CTE `base`, which contains the active nodes that match `text`, `query` and `failure`. The
 * conditions in `where` do not filter these nodes. Instead, `base` has a boolean column for each of these conditions.
 * So a statement can count the values of a field without the condition on this field. With `failure`, also returns the
 * CTE `failure`, with the column `complete`.
 */
export function baseNodes({ unreportedAfterMs, text, query, failure, where }: NodeChoice): Fragment {
  const conditions = [
    sql`n.deactivated IS NULL AND n.expired IS NULL`,
    ...(text === undefined ? [] : [sql`strpos(lower(n.certname), lower(${bind(text, 'text')})) > 0`]),
    ...(query === undefined ? [] : [sql`n.node IN (${query})`]),
  ];
  const tests = where.map(
    ({ field, values }, index) => sql`, coalesce(${fieldTest(field, values)}, false) AS ${label('k', index)}`,
  );
  const [found, failed] =
    failure === undefined
      ? [empty, always]
      : [
          sql`failure AS MATERIALIZED (${nodesWithFailure(failure)}), `,
          sql`n.status = ${indexOf('failed')} AND n.node IN (SELECT unnest(nodes) FROM failure)`,
        ];
  return sql`${found}base AS MATERIALIZED (SELECT * ${join(tests, sql``)} FROM (
    SELECT n.node, n.certname, n.report_timestamp, n.latest_report_hash, n.latest_report_noop_pending AS noop_pending,
      ${statusSql(unreportedAfterMs)} AS status, ${environment} AS environment
    FROM ${table('nodes')} n WHERE ${all(conditions)}) n WHERE ${failed})`;
}

/**
 * Returns SQL that is true if a row of `base` meets all conditions in `where`, except the condition on the field
 * `without`.
 */
export function matches({ where }: NodeChoice, without?: NodeField): Fragment {
  const tests = where.flatMap(({ field }, index) =>
    field.name === without?.name ? [] : [sql`base.${label('k', index)}`],
  );
  return tests.length === 0 ? always : all(tests);
}

function fieldTest(field: NodeField, values: readonly AstJson[]): Fragment {
  const present = values.filter((value) => value !== null);
  const isMissing = present.length < values.length;
  switch (field.kind) {
    case 'status':
      return sql`n.status IN (${join(values.filter(isNodeStatus).map(indexOf), comma)})`;
    case 'environment': {
      const isOne = sql`n.environment = ANY (${bind(present, 'text[]')})`;
      return isMissing ? any([isOne, sql`n.environment IS NULL`]) : isOne;
    }
    case 'fact': {
      const hasOne = sql`n.node IN (${nodesWithAny(field.keys, present)})`;
      return isMissing ? any([hasOne, sql`n.node NOT IN (SELECT c.node FROM ${factLeaves(field.keys)})`]) : hasOne;
    }
  }
}

export const factLeaves = ({ paths }: LeafKeys): Fragment =>
  sql`${table('fact_contents')} c WHERE c.path = ANY (${bind(paths, 'bigint[]')})`;
