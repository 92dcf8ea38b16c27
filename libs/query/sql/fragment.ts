import type { Sql } from '#database';
import { checkLimit, type Limits } from '#limits';
import { malformed } from '../ast/malformed';

/** A value that is sent as a parameter; `cast` is its PostgreSQL type. */
class Bound {
  constructor(
    readonly value: unknown,
    readonly cast: BoundType,
    /** Whether PostgreSQL's best plan depends on the value, for example because of the number of rows. */
    readonly affectsPlan: boolean,
  ) {}
}

/** A table of the generation. Its schema is added when the text is made. */
class Table {
  constructor(readonly name: string) {}
}

/** The time of the question: PostgreSQL's clock, or the time of the moment that the query names. */
class QueryTime {}

type BoundType =
  | 'text'
  | 'text[]'
  | 'jsonb'
  | 'jsonb[]'
  | 'bigint'
  | 'bigint[]'
  | 'numeric'
  | 'boolean'
  | 'boolean[]'
  | 'numeric[]'
  | 'timestamptz'
  | 'timestamptz[]'
  | 'uuid'
  | 'uuid[]';

/**
 * A piece of SQL with its parameters. It can be made only from text in the program (`sql`), values (`bind`) and tables
 * of the read schema (`table`), so no text of a request can become SQL text.
 */
export class Fragment {
  declare private readonly brand: 'fragment';
  constructor(readonly parts: readonly Part[]) {}
}

/** Fragments form a tree that `render` walks through once. */
type Part = string | Bound | Table | QueryTime | Fragment;

/** A part that is counted when the text is made, because PostgreSQL's work grows with the number of such parts. */
class Counted extends Fragment {
  constructor(
    inner: Fragment,
    readonly kind: 'comparison' | 'query condition' | 'query value',
  ) {
    super([inner]);
  }
}

/** Counts the condition as a comparison. */
export const comparison = (condition: Fragment): Fragment => new Counted(condition, 'comparison');

/** Counts a condition that PostgreSQL plans as a query: `x IN (SELECT …)`, `EXISTS (…)`. */
export const subQuery = (condition: Fragment): Fragment => new Counted(condition, 'query condition');

/** Counts a value that is a query in brackets. */
export const valueQuery = (value: Fragment): Fragment => new Counted(value, 'query value');

/** `` sql`a = ${fragment}` ``: only fragments can be inserted, never strings. */
export function sql(strings: TemplateStringsArray, ...holes: readonly Fragment[]): Fragment {
  const parts: Part[] = [strings[0] ?? ''];
  holes.forEach((hole, index) => {
    parts.push(hole, strings[index + 1] ?? '');
  });
  return new Fragment(parts);
}

// PostgreSQL refuses U+0000 in texts. Stored values have U+FFFD instead, so values in queries are changed in the same
// way.
const withoutNul = (text: string): string => text.replaceAll('\u0000', '\ufffd');

/** An escaped surrogate pair, one escaped code unit, or any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u([\da-fA-F]{4})|\\./g;
const unstorable = /^(0000|[dD][89a-fA-F].*)$/;

/** Replaces escapes of characters that jsonb cannot store: U+0000 and unpaired surrogates. */
const withoutUnstorable = (json: string): string =>
  json.includes('\\u')
    ? json.replace(escapes, (whole, code?: string) => (unstorable.test(code ?? '') ? '\ufffd' : whole))
    : json;

function storable(value: unknown, cast: BoundType): unknown {
  if (Array.isArray(value)) return value.map((one) => storable(one, cast));
  if (typeof value !== 'string') return value;
  return cast === 'jsonb' || cast === 'jsonb[]' ? withoutUnstorable(value) : withoutNul(value);
}

/** Returns a parameter. jsonb takes JSON text, bigint takes decimal text, arrays take arrays of these. */
export function bind(value: unknown, cast: BoundType): Fragment {
  return new Fragment([new Bound(storable(value, cast), cast, true)]);
}

/**
 * Returns a parameter that does not affect the plan: a printed value, or a key of one row, node or report. A statement
 * with only such parameters keeps its plan.
 */
export function bindPlanIndependent(value: unknown, cast: BoundType): Fragment {
  return new Fragment([new Bound(storable(value, cast), cast, false)]);
}

const identifier = /^[a-z_][a-z0-9_]*$/;

/** Returns a table of the generation. Its schema is added when the text is made. */
export function table(name: string): Fragment {
  if (!identifier.test(name)) throw new Error(`not a table name: ${name}`);
  return new Fragment([new Table(name)]);
}

/**
 * The time that `now()` in a query means. It is the same instant for all statements of a request: PostgreSQL's `now()` is
 * the beginning of the transaction.
 */
export const queryTime = new Fragment([new QueryTime()]);

/** Returns a column alias or other name that the compiler numbers (`k1`). */
export function label(prefix: 'k' | 'a', index: number): Fragment {
  return new Fragment([`${prefix}${Math.trunc(index)}`]);
}

export function join(fragments: readonly Fragment[], separator: Fragment): Fragment {
  const parts: Part[] = [];
  fragments.forEach((fragment, index) => {
    if (index > 0) parts.push(separator);
    parts.push(fragment);
  });
  return new Fragment(parts);
}

export const empty = sql``;
export const comma = sql`, `;
export const always = sql`true`;
export const never = sql`false`;

/** Returns a conjunction, which is true without members. */
export const all = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? always : join(conditions.map(parenthesised), sql` AND `);

/** Returns a disjunction, which is false without members. */
export const any = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? never : join(conditions.map(parenthesised), sql` OR `);

export const parenthesised = (fragment: Fragment): Fragment => sql`(${fragment})`;

/**
 * Names and texts that several nodes share. Their rows do not change, and rows of other tables decide which of them are
 * shown, so a query about the past reads them as they are.
 */
export const sharedTables: ReadonlySet<string> = new Set([
  'environments',
  'producers',
  'fact_paths',
  'fact_path_types',
  'resource_contents',
  'packages',
]);

/** Stands for the schema of the live generation, which `placed` puts in its place when a statement is sent. */
export const anySchema = 'live_generation_schema';

/** A moment that a query is asked about. */
export interface PlacedMoment {
  /** The array of the next offsets of the partitions, as PostgreSQL writes it. */
  readonly positions: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

/** Stands for a value of the moment, which is not known yet when the statement is made. */
type MomentValue = { readonly moment: keyof PlacedMoment };

const isMomentValue = (value: unknown): value is MomentValue =>
  typeof value === 'object' && value !== null && 'moment' in value;

/** Returns the statement over tables of the schema, which must be a trusted name, as of the moment. */
export function placed(statement: Sql, schema: string, moment?: PlacedMoment): Sql {
  const valueOf = ({ moment: name }: MomentValue): string => {
    if (moment === undefined) throw new Error('a statement about the past without its moment');
    return moment[name];
  };
  return {
    ...statement,
    text: statement.text.replaceAll(`${anySchema}.`, `${schema}.`),
    values: statement.values.map((value) => (isMomentValue(value) ? valueOf(value) : value)),
  };
}

// Greatest number of parameters in PostgreSQL's protocol.
const maxParameters = 65_535;

/**
 * PostgreSQL converts the sub-queries of a conjunction to joins, and its planning time grows with about the third power
 * of their number: 100 take 4 s. From this number on, they are planned one by one.
 */
const mostJoinedQueries = 10;

/**
 * Returns text and parameters for the driver. `schema` is the name of a generation, never from a request. `isPast`: the
 * statement reads the tables as of a moment, and `placed` adds this moment. Faults: `query.limit` for too many
 * comparisons or sub-queries, `query.too-long` for too many parameters.
 */
export function render(fragment: Fragment, schema: string, limits: Limits, isPast = false): Sql {
  if (!identifier.test(schema)) throw new Error(`not a schema name: ${schema}`);
  const { comparisons, queries } = count(fragment);
  checkLimit(limits, 'queryConditions', comparisons);
  checkLimit(limits, 'querySubqueries', queries);
  const values: unknown[] = [];
  // A value that a statement uses several times is sent once.
  const numbers = new Map<Bound | keyof PlacedMoment, number>();
  const pieces: string[] = [];
  let canBePrepared = true;
  const ofMoment = (moment: keyof PlacedMoment): number => {
    const number = numbers.get(moment) ?? values.push({ moment } satisfies MomentValue);
    numbers.set(moment, number);
    return number;
  };
  for (const part of leaves(fragment, queries > mostJoinedQueries)) {
    if (typeof part === 'string') pieces.push(part);
    else if (part instanceof Table)
      pieces.push(
        isPast && !sharedTables.has(part.name)
          ? `${schema}.${part.name}_at($${ofMoment('positions')}::bigint[])`
          : `${schema}.${part.name}`,
      );
    else if (part instanceof QueryTime) pieces.push(isPast ? `$${ofMoment('time')}::timestamptz` : 'now()');
    else {
      let number = numbers.get(part);
      if (number === undefined) {
        number = values.push(part.value);
        if (part.affectsPlan) canBePrepared = false;
        numbers.set(part, number);
      }
      if (number > maxParameters)
        throw malformed(
          'too-long',
          `The query compares with more than ${maxParameters} values, which is what PostgreSQL can take.`,
        );
      pieces.push(`$${number}::${part.cast}`);
    }
  }
  return { text: pieces.join(''), values, canBePrepared };
}

/** A fragment on the path, and the index of its next part. */
interface Open {
  readonly parts: readonly Part[];
  next: number;
}

// Both use an explicit stack, because fragments can be nested deeply.

function count(fragment: Fragment): { comparisons: number; queries: number } {
  let comparisons = 0;
  let queries = 0;
  const open: Fragment[] = [fragment];
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    if (top instanceof Counted) {
      if (top.kind === 'comparison') comparisons++;
      else queries++;
    }
    for (const part of top.parts) if (part instanceof Fragment) open.push(part);
  }
  return { comparisons, queries };
}

/**
 * The texts, parameters and tables of a fragment in their order. `apart`: conditions with sub-queries are written as
 * `((…) = true)`, which is equal for true, false and unknown, and which PostgreSQL does not make a join of.
 */
function* leaves(fragment: Fragment, apart: boolean): Generator<string | Bound | Table | QueryTime> {
  const open: Open[] = [{ parts: [fragment], next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const part = top.parts[top.next++];
    if (part === undefined) open.pop();
    else if (!(part instanceof Fragment)) yield part;
    else if (apart && part instanceof Counted && part.kind === 'query condition')
      open.push({ parts: ['((', ...part.parts, ') = true)'], next: 0 });
    else open.push({ parts: part.parts, next: 0 });
  }
}
