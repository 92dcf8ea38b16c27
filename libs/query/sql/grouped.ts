import type { Plan, PlannedColumn, PlannedField } from '../plan/plan';
import { sameColumn } from '../plan/plan-selection';
import { columnValue } from './column';
import { type Fragment, all, bind, comma, comparison, empty, join, label, sql } from './fragment';
import { Needs } from './needs';
import { orderingSql } from './ordering';
import { direction, paging } from './paging';

/** A query whose rows are folded, as the inner query g of another one. */
interface Grouped {
  /** FROM the inner query, with the condition on groups, order and paging. */
  readonly from: Fragment;
  /** The columns asked for, in their order. */
  readonly values: readonly GroupedValue[];
}

export interface GroupedValue {
  readonly value: Fragment;
  /** Of a JSON value: the JSON text that stands for all values of the group, which can differ in their spelling. */
  readonly text?: Fragment;
  /** The column is one of the groups; otherwise a function's result. */
  readonly isGroup: boolean;
}

/**
 * Folds the rows of a plan: the inner query gives k1, k2 ... for its groups and a1, a2 ... for what is computed of each.
 * Groups are named, not repeated: with parameters inside, PostgreSQL would not see that two expressions are one.
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
 * Equal JSON values can be spelled differently: `11` and `11.0`. A group shows the spelling of most of its rows, the least
 * text among equally many; this does not depend on the order of the rows. Undefined where equal values are spelled the same.
 */
function groupText({ kind }: PlannedField): Fragment | undefined {
  const spelling = kind.spelling?.();
  return spelling && sql`mode() WITHIN GROUP (ORDER BY ${spelling} COLLATE "C")`;
}

/** `compute` gives the name of a column's value in each group. */
function orderOfGroups(
  { groupOrder = [] }: Plan,
  groups: readonly PlannedColumn[],
  compute: (column: PlannedColumn) => Fragment,
): Fragment {
  const terms = groupOrder.map(({ column, order }) => {
    const place = groups.findIndex((group) => sameColumn(group, column));
    if (place >= 0) return sql`g.${label('k', place + 1)} ${direction(order)}`;
    // A group without a value is last: it is none of those with the most.
    return sql`${compute(column)} ${direction(order)} NULLS LAST`;
  });
  return terms.length === 0 ? empty : sql` ORDER BY ${join(terms, comma)}`;
}
