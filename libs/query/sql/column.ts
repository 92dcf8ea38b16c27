import { knownFunction } from '../operators/functions';
import type { PlannedColumn } from '../plan/plan';
import { type Fragment, sql } from './fragment';
import type { Needs } from './needs';

export function columnValue(column: PlannedColumn, needs: Needs): Fragment {
  if (column.kind === 'call') return callSql(column, needs);
  needs.add(column.field.kind.needs);
  return column.field.kind.value;
}

function callSql({ field, name, nothing, template }: Extract<PlannedColumn, { kind: 'call' }>, needs: Needs): Fragment {
  const called = knownFunction(name);
  const { rowCount } = needs.entity;
  if (!field && nothing !== true && rowCount && called.ofCounts) return called.ofCounts(rowCount);
  if (!field) return (nothing === true ? called.ofUnknownField : called.withoutField) ?? sql`NULL`;
  needs.add(field.kind.needs);
  return called.sql(field.kind, template ?? '');
}
