import type { Addition } from '../additions';
import type { FieldKind } from '../kinds/field-kind';
import { type Fragment, bind, sql } from '../sql/fragment';

/**
 * A function that queries can apply to columns. This entry determines how calls are checked and compiled, and what
 * hints and the documentation say.
 */
export interface QueryFunction {
  readonly name: string;
  readonly summary: string;
  readonly fields: string;
  readonly example: string;
  readonly isAggregate: boolean;
  readonly isCount?: true;
  /** Absent if the function requires a field. */
  readonly withoutField?: Fragment;
  /**
   * SQL for a call without a field if each row represents several records. Absent if the function cannot use such rows.
   */
  readonly ofCounts?: (rowCount: Fragment) => Fragment;
  /** SQL for a call on an unknown field. Absent if the function refuses unknown fields. */
  readonly ofUnknownField?: Fragment;
  readonly takesTemplate?: boolean;
  readonly addition?: Addition;
  readonly accepts: (kind: FieldKind) => boolean;
  /** `template` is the second argument, and is empty if the function takes none. */
  readonly sql: (kind: FieldKind, template: string) => Fragment;
}

const isJson = ({ name }: FieldKind): boolean => name === 'value';
export const isNumber = (kind: FieldKind): boolean => kind.name === 'integer' || isJson(kind);
const isOrdered = (kind: FieldKind): boolean =>
  isNumber(kind) || ['text', 'timestamp', 'json-text'].includes(kind.name);

/** The SQL expression is NULL if the JSON value is neither a number nor a text that contains a number. */
const numberOr = (value: Fragment, made: Fragment): Fragment => sql`CASE
    WHEN jsonb_typeof(${value}) IN ('number', 'string')
      AND (${value} #>> '{}') ~ '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?$'
    THEN ${made} END`;

const numeric = (value: Fragment): Fragment => sql`(${value} #>> '{}')::numeric`;

const number = (kind: FieldKind): Fragment => (isJson(kind) ? numberOr(kind.value, numeric(kind.value)) : kind.value);

/**
 * Makes the SQL for `min` (`sign` is `-`) or `max` (`sign` is `+`). JSON numbers are compared as arrays of number and
 * scale. So the result is the number with the most decimals if several are equal, and does not depend on the order of
 * rows.
 */
function extreme(name: Fragment, sign: Fragment, kind: FieldKind): Fragment {
  const { value } = kind;
  if (isJson(kind)) {
    const found = numeric(value);
    return sql`(${name}(${numberOr(value, sql`ARRAY[${found}, ${sign}scale(${found})]`)}))[1]`;
  }
  const found = sql`${name}(${value})`;
  return kind.name === 'timestamp' ? kind.printed(found) : found;
}

const numbers = 'numbers, values of facts, dotted names';

export const queryFunctions: readonly QueryFunction[] = [
  {
    name: 'count',
    summary: 'The number of rows. With a field: the number of rows in which the field has a value.',
    fields: 'all, or none',
    example: 'resources[type, count()] { group by type }',
    isAggregate: true,
    isCount: true,
    withoutField: sql`count(*)`,
    ofCounts: (rowCount) => sql`coalesce(sum(${rowCount}), 0)`,
    ofUnknownField: sql`count(NULL::text)`,
    accepts: () => true,
    sql: (kind) => sql`count(${isJson(kind) ? sql`nullif(${kind.value}, 'null')` : kind.value})`,
  },
  {
    name: 'count_distinct',
    summary: 'The number of different values of the field.',
    fields: 'all except fields of the type `expanded`',
    example: 'events[containing_class, count_distinct(certname)] { group by containing_class }',
    isAggregate: true,
    isCount: true,
    addition: 'distinct',
    accepts: ({ name }) => name !== 'expanded',
    sql: (kind) => sql`count(DISTINCT ${isJson(kind) ? sql`nullif(${kind.value}, 'null')` : kind.value})`,
  },
  {
    name: 'avg',
    summary: 'The average of the values.',
    fields: numbers,
    example: 'facts[avg(value)] { name = "uptime_seconds" }',
    isAggregate: true,
    accepts: isNumber,
    sql: (kind) => sql`avg(${number(kind)})`,
  },
  {
    name: 'sum',
    summary: 'The sum of the values.',
    fields: numbers,
    example: 'facts[sum(value)] { name = "processorcount" }',
    isAggregate: true,
    accepts: isNumber,
    sql: (kind) => sql`sum(${number(kind)})`,
  },
  {
    name: 'min',
    summary: 'The smallest value.',
    fields: `${numbers}, texts, times`,
    example: 'nodes[min(report_timestamp)] {}',
    isAggregate: true,
    accepts: isOrdered,
    sql: (kind) => extreme(sql`min`, sql`-`, kind),
  },
  {
    name: 'max',
    summary: 'The largest value.',
    fields: `${numbers}, texts, times`,
    example: 'nodes[max(report_timestamp)] {}',
    isAggregate: true,
    accepts: isOrdered,
    sql: (kind) => extreme(sql`max`, sql`+`, kind),
  },
  {
    name: 'to_string',
    summary: "The value as a text, in a format of PostgreSQL's function `to_char`.",
    fields: 'times, integers',
    example: 'events[to_string(timestamp, "YYYY-MM-DD"), count()] { group by to_string(timestamp, "YYYY-MM-DD") }',
    isAggregate: false,
    takesTemplate: true,
    accepts: ({ name }) => name === 'timestamp' || name === 'integer',
    sql: ({ name, value }, template) =>
      name === 'timestamp'
        ? sql`to_char(${value} AT TIME ZONE 'UTC', ${bind(template, 'text')})`
        : sql`to_char(${value}, ${bind(template, 'text')})`,
  },
];

const byName = new Map(queryFunctions.map((one) => [one.name, one]));

/** Callers must have checked the name. */
export function knownFunction(name: string): QueryFunction {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`not a function: ${name}`);
  return found;
}
