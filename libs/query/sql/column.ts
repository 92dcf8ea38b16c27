import { knownFunction } from '../operators/functions';
import type { PlannedColumn } from '../plan/plan';
import { type Fragment, sql } from './fragment';
import type { Needs } from './needs';
import { comparableValue } from './output';

/** The value of a column as it is compared, grouped and folded. */
export function columnValue(column: PlannedColumn, needs: Needs): Fragment {
  if (column.kind === 'call') return callSql(column, needs);
  needs.add(column.field);
  return comparableValue(column.field);
}

function callSql({ field, name, nothing, template }: Extract<PlannedColumn, { kind: 'call' }>, needs: Needs): Fragment {
  const called = knownFunction(name);
  if (!field) return (nothing === true ? called.ofUnknownField : called.withoutField) ?? sql`NULL`;
  needs.add(field);
  return called.sql({ field, value: comparableValue(field), template: template ?? '' });
}
