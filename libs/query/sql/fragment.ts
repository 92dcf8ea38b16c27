import type { Sql } from '#database';
import { checkLimit, type Limits } from '#limits';
import { malformed } from '../ast/malformed';

class Bound {
  constructor(
    readonly value: unknown,
    readonly cast: BoundType,
    /**
     * Whether PostgreSQL's best plan depends on the value, for example because the value determines the number of rows.
     */
    readonly affectsPlan: boolean,
  ) {}
}

class Table {
  constructor(
    readonly name: string,
    /** Whether a query about the past reads the current rows of this table instead of its rows at the moment. */
    readonly isItself = false,
  ) {}
}

class Positions {}

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
 * A piece of SQL with its parameters. Only text in the program (`sql`), values (`bind`) and tables (`table`) can become
 * fragments, so no text from a request can become SQL text.
 */
export class Fragment {
  declare private readonly brand: 'fragment';
  constructor(readonly parts: readonly Part[]) {}
}

type Part = string | Bound | Table | Positions | QueryTime | Fragment;

/** A part that `render` counts, because PostgreSQL's work grows with the number of such parts. */
class Counted extends Fragment {
  constructor(
    inner: Fragment,
    readonly kind: 'comparison' | 'query condition' | 'query value',
  ) {
    super([inner]);
  }
}

export const comparison = (condition: Fragment): Fragment => new Counted(condition, 'comparison');

/** Wraps a condition with a query, such as `x IN (SELECT …)`, so that `render` counts one sub-query. */
export const subQuery = (condition: Fragment): Fragment => new Counted(condition, 'query condition');

/** Wraps a value of the form `(SELECT …)`, so that `render` counts one sub-query. */
export const valueQuery = (value: Fragment): Fragment => new Counted(value, 'query value');

/** Accepts only fragments in the template, so a string can never become SQL text. */
export function sql(strings: TemplateStringsArray, ...holes: readonly Fragment[]): Fragment {
  const parts: Part[] = [strings[0] ?? ''];
  holes.forEach((hole, index) => {
    parts.push(hole, strings[index + 1] ?? '');
  });
  return new Fragment(parts);
}

// Replaces U+0000, because PostgreSQL refuses this character. Projectors replace it in the same way before they store a
// text.
const withoutNul = (text: string): string => text.replaceAll('\u0000', '\ufffd');

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

/** Makes a parameter. A jsonb parameter takes JSON text, and a bigint takes decimal text. */
export function bind(value: unknown, cast: BoundType): Fragment {
  return new Fragment([new Bound(storable(value, cast), cast, true)]);
}

/**
 * Makes a parameter that does not affect the plan, such as a printed value or the key of one row, node or report.
 * PostgreSQL can reuse the plan of a statement that has only such parameters.
 */
export function bindPlanIndependent(value: unknown, cast: BoundType): Fragment {
  return new Fragment([new Bound(storable(value, cast), cast, false)]);
}

const identifier = /^[a-z_][a-z0-9_]*$/;

export function table(name: string): Fragment {
  if (!identifier.test(name)) throw new Error(`not a table name: ${name}`);
  return new Fragment([new Table(name)]);
}

/** Refers to a table or function that a query about the past uses unchanged. */
export const itself = (name: string): Fragment => new Fragment([new Table(name, true)]);

/** For queries about the past: the positions at the requested time, as an array of offsets. */
export const positions = new Fragment([new Positions()]);

/**
 * The time that `now()` in a query returns. All statements of a request use the same time, as all statements of a
 * transaction do with PostgreSQL's `now()`.
 */
export const queryTime = new Fragment([new QueryTime()]);

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

export const all = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? always : join(conditions.map(parenthesised), sql` AND `);

export const any = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? never : join(conditions.map(parenthesised), sql` OR `);

export const parenthesised = (fragment: Fragment): Fragment => sql`(${fragment})`;

/**
 * Tables of names and texts that several nodes share. Queries about the past read their current rows. Such rows never
 * change, and rows of other tables determine which shared rows appear in an answer.
 */
export const sharedTables: ReadonlySet<string> = new Set([
  'environments',
  'producers',
  'fact_paths',
  'fact_path_types',
  'resource_contents',
  'packages',
]);

/** Placeholder for the schema of the live generation. `placed` replaces it when the statement is sent. */
export const anySchema = 'live_generation_schema';

export interface PlacedMoment {
  /** Next offset of each partition, in PostgreSQL's array syntax. */
  readonly positions: string;
  /** ISO 8601, in UTC. */
  readonly time: string;
}

/** Placeholder for a value of the moment. `placed` replaces it, because the value is unknown during compiling. */
type MomentValue = { readonly moment: keyof PlacedMoment };

const isMomentValue = (value: unknown): value is MomentValue =>
  typeof value === 'object' && value !== null && 'moment' in value;

/** Replaces the placeholders of a statement. `schema` becomes SQL text, so it must be a trusted name. */
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

// Limit of PostgreSQL's protocol.
const maxParameters = 65_535;

/**
 * If a statement has more sub-queries than this, PostgreSQL must not convert them to joins. PostgreSQL's planning time
 * grows with about the third power of the number of joins: 100 sub-queries take 4 s.
 */
const mostJoinedQueries = 10;

/**
 * `schema` becomes SQL text, so it must be a trusted name. If `isPast`, the statement reads the tables at a moment,
 * which `placed` adds later. Throws `query.limit` if the statement has too many comparisons or sub-queries, and
 * `query.too-long` if it has too many parameters.
 */
export function render(fragment: Fragment, schema: string, limits: Limits, isPast = false): Sql {
  if (!identifier.test(schema)) throw new Error(`not a schema name: ${schema}`);
  const { comparisons, queries } = count(fragment);
  checkLimit(limits, 'queryConditions', comparisons);
  checkLimit(limits, 'querySubqueries', queries);
  const values: unknown[] = [];
  // Maps a parameter to the number of its placeholder, so that a value that occurs several times is sent once.
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
        isPast && !part.isItself && !sharedTables.has(part.name)
          ? `${schema}.${part.name}_at($${ofMoment('positions')}::bigint[])`
          : `${schema}.${part.name}`,
      );
    else if (part instanceof Positions) pieces.push(`$${ofMoment('positions')}::bigint[]`);
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

interface Open {
  readonly parts: readonly Part[];
  next: number;
}

// `count` and `leaves` use an explicit stack, because fragments can be nested deeply.

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
 * If `apart`, conditions with sub-queries become `((…) = true)`, so that PostgreSQL does not convert them to joins. The
 * result is equal for true, false and unknown.
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
