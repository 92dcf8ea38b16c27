import type { Plan, PlannedColumn, PlannedField } from '../plan/plan';
import { sameColumn } from '../plan/plan-selection';
import { columnValue } from './column';
import { type Fragment, all, bind, comma, comparison, empty, join, label, sql } from './fragment';
import { Needs } from './needs';
import { orderingSql } from './ordering';
import { direction, paging } from './paging';

/** A query with groups, as the inner query g of another one. */
interface Grouped {
  /** FROM the inner query, with the condition on groups, order and paging. */
  readonly from: Fragment;
  /** The selected columns, in their order. */
  readonly values: readonly GroupedValue[];
}

export interface GroupedValue {
  readonly value: Fragment;
  /** For a JSON value: one JSON text for all values of the group, whose spelling can differ. */
  readonly text?: Fragment;
  /** True for a column of group_by, false for the result of a function. */
  readonly isGroup: boolean;
}

/**
 * Groups the rows of a plan: the inner query returns k1, k2 … for the groups, and a1, a2 … for the results of functions.
 * Groups have names and are not repeated, because PostgreSQL does not recognize two equal expressions with parameters.
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
    const place = groups.findIndex((group) => sameColumn(group, column));
    if (place < 0) return { value: compute(columnValue(column, needs)), isGroup: false };
    const value = sql`g.${label('k', place + 1)}`;
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
 * Equal JSON values can be spelled differently: `11` and `11.0`. A group shows the spelling of most of its rows, or the
 * smallest text among equally frequent ones, so the order of the rows does not matter. Returns undefined if equal values
 * have one spelling.
 */
function groupText({ kind }: PlannedField): Fragment | undefined {
  const spelling = kind.spelling?.();
  return spelling && sql`mode() WITHIN GROUP (ORDER BY ${spelling} COLLATE "C")`;
}

/** `compute` returns the name of a column's value in each group. */
function orderOfGroups(
  { groupOrder = [] }: Plan,
  groups: readonly PlannedColumn[],
  compute: (column: PlannedColumn) => Fragment,
): Fragment {
  const terms = groupOrder.map(({ column, order }) => {
    const place = groups.findIndex((group) => sameColumn(group, column));
    if (place >= 0) return sql`g.${label('k', place + 1)} ${direction(order)}`;
    // A group without a value comes last.
    return sql`${compute(column)} ${direction(order)} NULLS LAST`;
  });
  return terms.length === 0 ? empty : sql` ORDER BY ${join(terms, comma)}`;
}
