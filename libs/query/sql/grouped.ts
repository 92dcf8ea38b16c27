import type { Plan, PlannedColumn, PlannedField } from '../plan/plan';
import { sameColumn } from '../plan/plan-selection';
import { columnValue } from './column';
import { type Fragment, all, bind, comma, comparison, empty, join, label, sql } from './fragment';
import { Needs } from './needs';
import { orderingSql } from './ordering';
import { direction, paging } from './paging';

interface Grouped {
  /** FROM clause with the inner query `g`, followed by the conditions on groups, the order and the paging. */
  readonly from: Fragment;
  readonly values: readonly GroupedValue[];
}

export interface GroupedValue {
  readonly value: Fragment;
  /** SQL for one JSON text of the group. Present if equal values in the group can have different texts. */
  readonly text?: Fragment;
  /** True for a column of group_by, false for the result of a function. */
  readonly isGroup: boolean;
}

/**
 * Groups the rows of a plan. The inner query names groups k1, k2 … and results of functions a1, a2 …. The outer query
 * uses these names, because PostgreSQL does not recognize two expressions with parameters as equal.
 */
export function groupedQuery(
  plan: Plan,
  columns: readonly PlannedColumn[],
  where: (plan: Plan, needs: Needs) => Fragment,
): Grouped {
  const needs = new Needs(plan);
  const groups = plan.groups ?? [];
  const inner = groups.map((group, index) => sql`${columnValue(group, needs)} AS ${label('k', index + 1)}`);
  let computed = 0;
  const compute = (value: Fragment): Fragment => {
    inner.push(sql`${value} AS ${label('a', ++computed)}`);
    return sql`g.${label('a', computed)}`;
  };
  const values = columns.map((column): GroupedValue => {
    const index = groups.findIndex((group) => sameColumn(group, column));
    if (index < 0) return { value: compute(columnValue(column, needs)), isGroup: false };
    const value = sql`g.${label('k', index + 1)}`;
    const text = column.kind === 'field' ? groupText(column.field) : undefined;
    return { value, isGroup: true, ...(text === undefined ? {} : { text: compute(text) }) };
  });
  const having = (plan.having ?? []).map(({ column, operator, value }) =>
    comparison(sql`${compute(columnValue(column, needs))} ${orderingSql(operator)} ${bind(value, 'numeric')}`),
  );
  const order = orderOfGroups(plan, groups, (column) => compute(columnValue(column, needs)));
  if (inner.length === 0) inner.push(sql`1 AS k0`);
  const condition = where(plan, needs);
  const names = groups.map((_, index) => label('k', index + 1));
  const groupBy = names.length === 0 ? empty : sql` GROUP BY ${join(names, comma)}`;
  const query = sql`SELECT ${join(inner, comma)} ${needs.from()} ${condition}${groupBy}`;
  const shown = having.length === 0 ? empty : sql` WHERE ${all(having)}`;
  return { from: sql`FROM (${query}) g${shown}${order}${paging(plan)}`, values };
}

/**
 * Returns the SQL for the text of a group whose equal JSON values can have different texts, such as `11` and `11.0`.
 * Selects the most frequent text, or the smallest of equally frequent texts, so the result does not depend on the order
 * of rows.
 */
function groupText({ kind }: PlannedField): Fragment | undefined {
  const spelling = kind.spelling?.();
  return spelling && sql`mode() WITHIN GROUP (ORDER BY ${spelling} COLLATE "C")`;
}

/** `compute` adds a column to the inner query and returns its name. */
function orderOfGroups(
  { groupOrder = [] }: Plan,
  groups: readonly PlannedColumn[],
  compute: (column: PlannedColumn) => Fragment,
): Fragment {
  const terms = groupOrder.map(({ column, order }) => {
    const index = groups.findIndex((group) => sameColumn(group, column));
    if (index >= 0) return sql`g.${label('k', index + 1)} ${direction(order)}`;
    return sql`${compute(column)} ${direction(order)} NULLS LAST`;
  });
  return terms.length === 0 ? empty : sql` ORDER BY ${join(terms, comma)}`;
}
