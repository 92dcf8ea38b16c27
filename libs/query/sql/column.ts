import type { PlannedColumn, PlannedField } from '../plan/plan';
import { type Fragment, bind, sql } from './fragment';
import type { Needs } from './needs';
import { comparableValue, printed } from './output';

/** The value of a column as it is compared, grouped and folded. */
export function columnValue(column: PlannedColumn, needs: Needs): Fragment {
  if (column.kind === 'call') return callSql(column, needs);
  needs.add(column.field);
  return comparableValue(column.field);
}

function callSql(column: Extract<PlannedColumn, { kind: 'call' }>, needs: Needs): Fragment {
  const { field, name } = column;
  if (!field) return column.nothing === true ? sql`count(NULL::text)` : sql`count(*)`;
  needs.add(field);
  const value = comparableValue(field);
  const isJson = field.type === 'value' || field.member !== undefined;
  // Numbers, and strings that read as numbers; anything else among the values of a fact is passed over.
  const number = sql`CASE WHEN jsonb_typeof(${value}) = 'number' OR (jsonb_typeof(${value}) = 'string'
    AND (${value} #>> '{}') ~ '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?$')
    THEN (${value} #>> '{}')::numeric END`;
  switch (name) {
    case 'count':
      return sql`count(${isJson ? sql`nullif(${value}, 'null')` : value})`;
    case 'avg':
      return sql`avg(${isJson ? number : value})`;
    case 'sum':
      return sql`sum(${isJson ? number : value})`;
    case 'min':
      return extreme(sql`min`, field, isJson ? number : value);
    case 'max':
      return extreme(sql`max`, field, isJson ? number : value);
    case 'to_string':
      return field.type === 'timestamp'
        ? sql`to_char(${value} AT TIME ZONE 'UTC', ${bind(column.template ?? '', 'text')})`
        : sql`to_char(${value}, ${bind(column.template ?? '', 'text')})`;
  }
}

const extreme = (name: Fragment, field: PlannedField, value: Fragment): Fragment =>
  field.type === 'timestamp' && !field.member ? printed('timestamp', sql`${name}(${value})`) : sql`${name}(${value})`;
