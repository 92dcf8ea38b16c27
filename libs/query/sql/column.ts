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
  const number = numberOr(value, sql`(${value} #>> '{}')::numeric`);
  switch (name) {
    case 'count':
      return sql`count(${isJson ? sql`nullif(${value}, 'null')` : value})`;
    case 'avg':
      return sql`avg(${isJson ? number : value})`;
    case 'sum':
      return sql`sum(${isJson ? number : value})`;
    case 'min':
      return isJson ? extremeNumber(sql`min`, value, sql`-`) : extreme(sql`min`, field, value);
    case 'max':
      return isJson ? extremeNumber(sql`max`, value, sql`+`) : extreme(sql`max`, field, value);
    case 'to_string':
      return field.type === 'timestamp'
        ? sql`to_char(${value} AT TIME ZONE 'UTC', ${bind(column.template ?? '', 'text')})`
        : sql`to_char(${value}, ${bind(column.template ?? '', 'text')})`;
  }
}

/** Something made of a number, or of a string that reads as one; nothing of any other value of a fact. */
const numberOr = (value: Fragment, made: Fragment): Fragment => sql`CASE
    WHEN jsonb_typeof(${value}) IN ('number', 'string')
      AND (${value} #>> '{}') ~ '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?$'
    THEN ${made} END`;

/**
 * `min` or `max` of numbers, with `sign` `-` or `+`. Of equal numbers it gives the one with the most decimals, as the
 * scale of `sum` and `avg` does: plain `min` gives whichever row comes last. Arrays are compared element by element.
 */
function extremeNumber(name: Fragment, value: Fragment, sign: Fragment): Fragment {
  const number = sql`(${value} #>> '{}')::numeric`;
  return sql`(${name}(${numberOr(value, sql`ARRAY[${number}, ${sign}scale(${number})]`)}))[1]`;
}

const extreme = (name: Fragment, field: PlannedField, value: Fragment): Fragment =>
  field.type === 'timestamp' && !field.member ? printed('timestamp', sql`${name}(${value})`) : sql`${name}(${value})`;
