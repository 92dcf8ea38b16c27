import type { Addition } from '../additions';
import type { FieldKind } from '../kinds/field-kind';
import { type Fragment, bind, sql } from '../sql/fragment';

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
  /** It counts: the result is a number, whatever the field is. */
  readonly isCount?: true;
  /** What it gives without a field; absent: it requires one. */
  readonly withoutField?: Fragment;
  /** What it gives without a field where each row stands for several; absent: it cannot be asked of such rows. */
  readonly ofCounts?: (rowCount: Fragment) => Fragment;
  /** What it gives for a field that the entity does not have; absent: such a field is refused. */
  readonly ofUnknownField?: Fragment;
  readonly takesTemplate?: boolean;
  /** The function is not part of the strict language. */
  readonly addition?: Addition;
  /** Whether it takes fields of the kind. */
  readonly accepts: (kind: FieldKind) => boolean;
  /** The call on the value of a field. `template`: of a function that takes one. */
  readonly sql: (kind: FieldKind, template: string) => Fragment;
}

const isJson = ({ name }: FieldKind): boolean => name === 'value';
export const isNumber = (kind: FieldKind): boolean => kind.name === 'integer' || isJson(kind);
const isOrdered = (kind: FieldKind): boolean =>
  isNumber(kind) || ['text', 'timestamp', 'json-text'].includes(kind.name);

/** Something made of a number, or of a string that reads as one; nothing of any other value of a fact. */
const numberOr = (value: Fragment, made: Fragment): Fragment => sql`CASE
    WHEN jsonb_typeof(${value}) IN ('number', 'string')
      AND (${value} #>> '{}') ~ '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]{1,3})?$'
    THEN ${made} END`;

const numeric = (value: Fragment): Fragment => sql`(${value} #>> '{}')::numeric`;

const number = (kind: FieldKind): Fragment => (isJson(kind) ? numberOr(kind.value, numeric(kind.value)) : kind.value);

/**
 * `min` or `max`, with `sign` `-` or `+`. Of equal numbers in JSON it gives the one with the most decimals, as the scale of
 * `sum` and `avg` does: plain `min` gives whichever row comes last. Arrays are compared element by element.
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

/** Every function. A new one is one more entry. */
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

/** A function whose name was checked before. */
export function knownFunction(name: string): QueryFunction {
  const found = byName.get(name);
  if (found === undefined) throw new Error(`not a function: ${name}`);
  return found;
}
