import type { PlannedField } from '../plan/plan';
import { type Fragment, bind, sql } from '../sql/fragment';
import { printed } from '../sql/output';

/** The field of a call and its comparable value. */
export interface FunctionArgument {
  readonly field: PlannedField;
  readonly value: Fragment;
  /** Of a function with a template. */
  readonly template: string;
}

/** A function of a query's columns. The entry is all that there is to know about it. */
export interface QueryFunction {
  readonly name: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** The fields that it takes, for the documentation. */
  readonly fields: string;
  /** A call in PQL, for the documentation. */
  readonly example: string;
  /** It folds the rows of a group into one value. Otherwise it gives a value for each row. */
  readonly isAggregate: boolean;
  /** What it gives without a field; absent: it requires one. */
  readonly withoutField?: Fragment;
  /** What it gives for a field that the entity does not have; absent: such a field is refused. */
  readonly ofUnknownField?: Fragment;
  readonly takesTemplate?: boolean;
  readonly accepts: (field: PlannedField) => boolean;
  readonly sql: (argument: FunctionArgument) => Fragment;
}

const isJson = (field: PlannedField): boolean => field.type === 'value' || field.member !== undefined;
const isNumber = (field: PlannedField): boolean => field.type === 'integer' || isJson(field);
const isOrdered = (field: PlannedField): boolean =>
  isNumber(field) || ['text', 'timestamp', 'json-text'].includes(field.type);

/** Something made of a number, or of a string that reads as one; nothing of any other value of a fact. */
const numberOr = (value: Fragment, made: Fragment): Fragment => sql`CASE
    WHEN jsonb_typeof(${value}) IN ('number', 'string')
      AND (${value} #>> '{}') ~ '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?$'
    THEN ${made} END`;

const numeric = (value: Fragment): Fragment => sql`(${value} #>> '{}')::numeric`;

const number = ({ field, value }: FunctionArgument): Fragment =>
  isJson(field) ? numberOr(value, numeric(value)) : value;

/**
 * `min` or `max`, with `sign` `-` or `+`. Of equal numbers in JSON it gives the one with the most decimals, as the scale of
 * `sum` and `avg` does: plain `min` gives whichever row comes last. Arrays are compared element by element.
 */
function extreme(name: Fragment, sign: Fragment, { field, value }: FunctionArgument): Fragment {
  if (isJson(field)) {
    const found = numeric(value);
    return sql`(${name}(${numberOr(value, sql`ARRAY[${found}, ${sign}scale(${found})]`)}))[1]`;
  }
  return field.type === 'timestamp' ? printed('timestamp', sql`${name}(${value})`) : sql`${name}(${value})`;
}

const numbers = 'numbers, values of facts, dotted names';

/** Every function. A new one is one more entry. */
export const queryFunctions: readonly QueryFunction[] = [
  {
    name: 'count',
    summary: 'The number of rows; with a field, of the rows in which it has a value.',
    fields: 'any',
    example: 'resources[type, count()] { group by type }',
    isAggregate: true,
    withoutField: sql`count(*)`,
    ofUnknownField: sql`count(NULL::text)`,
    accepts: () => true,
    sql: ({ field, value }) => sql`count(${isJson(field) ? sql`nullif(${value}, 'null')` : value})`,
  },
  {
    name: 'avg',
    summary: 'The average.',
    fields: numbers,
    example: 'facts[avg(value)] { name = "uptime_seconds" }',
    isAggregate: true,
    accepts: isNumber,
    sql: (argument) => sql`avg(${number(argument)})`,
  },
  {
    name: 'sum',
    summary: 'The sum.',
    fields: numbers,
    example: 'facts[sum(value)] { name = "processorcount" }',
    isAggregate: true,
    accepts: isNumber,
    sql: (argument) => sql`sum(${number(argument)})`,
  },
  {
    name: 'min',
    summary: 'The smallest value.',
    fields: `${numbers}, texts, times`,
    example: 'nodes[min(report_timestamp)] {}',
    isAggregate: true,
    accepts: isOrdered,
    sql: (argument) => extreme(sql`min`, sql`-`, argument),
  },
  {
    name: 'max',
    summary: 'The largest value.',
    fields: `${numbers}, texts, times`,
    example: 'nodes[max(report_timestamp)] {}',
    isAggregate: true,
    accepts: isOrdered,
    sql: (argument) => extreme(sql`max`, sql`+`, argument),
  },
  {
    name: 'to_string',
    summary: "The value as text, in a format of PostgreSQL's `to_char`.",
    fields: 'times, integers',
    example: 'events[to_string(timestamp, "YYYY-MM-DD"), count()] { group by to_string(timestamp, "YYYY-MM-DD") }',
    isAggregate: false,
    takesTemplate: true,
    accepts: ({ type }) => type === 'timestamp' || type === 'integer',
    sql: ({ field, value, template }) =>
      field.type === 'timestamp'
        ? sql`to_char(${value} AT TIME ZONE 'UTC', ${bind(template, 'text')})`
        : sql`to_char(${value}, ${bind(template, 'text')})`,
  },
];

const byName = new Map(queryFunctions.map((one) => [one.name, one]));

export const queryFunction = (name: string): QueryFunction | undefined => byName.get(name);

export const functionNames: readonly string[] = queryFunctions.map(({ name }) => name);

/** A function whose name was checked before. */
export function knownFunction(name: string): QueryFunction {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`not a function: ${name}`);
  return found;
}
