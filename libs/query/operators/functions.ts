import type { Addition } from '../additions';
import type { FieldKind } from '../kinds/field-kind';
import { type Fragment, bind, sql } from '../sql/fragment';

/** A function that queries can apply to columns. Checks, SQL, hints and documentation use this entry. */
export interface QueryFunction {
  readonly name: string;
  /** One sentence for the documentation. */
  readonly summary: string;
  /** Fields that the function accepts, for the documentation. */
  readonly fields: string;
  /** A call in PQL, for the documentation. */
  readonly example: string;
  /** True if the function makes one value from the rows of a group. Otherwise it returns a value for each row. */
  readonly isAggregate: boolean;
  /** The function counts, so its result is a number for every kind of field. */
  readonly isCount?: true;
  /** SQL of the call without a field; absent if the function requires a field. */
  readonly withoutField?: Fragment;
  /** SQL of the call without a field if each row represents several; absent if such rows do not support it. */
  readonly ofCounts?: (rowCount: Fragment) => Fragment;
  /** SQL of the call on a field that does not exist; absent if such a field is refused. */
  readonly ofUnknownField?: Fragment;
  readonly takesTemplate?: boolean;
  /** Present if the function is not part of the strict language. */
  readonly addition?: Addition;
  /** Returns whether the function accepts fields of this kind. */
  readonly accepts: (kind: FieldKind) => boolean;
  /** Returns the SQL of the call on a field. `template` is the argument of a function that has one. */
  readonly sql: (kind: FieldKind, template: string) => Fragment;
}

const isJson = ({ name }: FieldKind): boolean => name === 'value';
export const isNumber = (kind: FieldKind): boolean => kind.name === 'integer' || isJson(kind);
const isOrdered = (kind: FieldKind): boolean =>
  isNumber(kind) || ['text', 'timestamp', 'json-text'].includes(kind.name);

/** Returns SQL that computes `made` for a number or a text that is a number, and null for any other value of a fact. */
const numberOr = (value: Fragment, made: Fragment): Fragment => sql`CASE
    WHEN jsonb_typeof(${value}) IN ('number', 'string')
      AND (${value} #>> '{}') ~ '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?$'
    THEN ${made} END`;

const numeric = (value: Fragment): Fragment => sql`(${value} #>> '{}')::numeric`;

const number = (kind: FieldKind): Fragment => (isJson(kind) ? numberOr(kind.value, numeric(kind.value)) : kind.value);

/**
 * `min` or `max`; `sign` is `-` or `+`. Of equal JSON numbers, returns the one with the most decimals, as the scale of
 * `sum` and `avg` does. Plain `min` would return whichever row comes last. Arrays are compared element by element.
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

/** All functions. To add one, add an entry. */
export const queryFunctions: readonly QueryFunction[] = [
  {
    name: 'count',
    summary: 'The number of rows; with a field, of the rows in which it has a value.',
    fields: 'any',
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
    summary: 'The number of different values of a field.',
    fields: 'any but those that show `href` and `data`',
    example: 'events[containing_class, count_distinct(certname)] { group by containing_class }',
    isAggregate: true,
    isCount: true,
    addition: 'distinct',
    accepts: ({ name }) => name !== 'expanded',
    sql: (kind) => sql`count(DISTINCT ${isJson(kind) ? sql`nullif(${kind.value}, 'null')` : kind.value})`,
  },
  {
    name: 'avg',
    summary: 'The average.',
    fields: numbers,
    example: 'facts[avg(value)] { name = "uptime_seconds" }',
    isAggregate: true,
    accepts: isNumber,
    sql: (kind) => sql`avg(${number(kind)})`,
  },
  {
    name: 'sum',
    summary: 'The sum.',
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
    summary: "The value as text, in a format of PostgreSQL's `to_char`.",
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

/** Returns a function whose name was checked before. */
export function knownFunction(name: string): QueryFunction {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`not a function: ${name}`);
  return found;
}
