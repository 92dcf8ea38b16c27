import type { Sql } from '#database';
import { checkLimit, type Limits } from '#limits';
import { malformed } from '../ast/malformed';

/** A value that travels as a parameter; `cast` is the PostgreSQL type that it is read as. */
class Bound {
  constructor(
    readonly value: unknown,
    readonly cast: BoundType,
    /** PostgreSQL's best plan depends on the value: how many rows it finds, for example. */
    readonly affectsPlan: boolean,
  ) {}
}

/** A table of the generation that is asked; its schema is known only when the text is made. */
class Table {
  constructor(readonly name: string) {}
}

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
 * A piece of SQL together with its parameters. It can only be made from text that stands in the program (`sql`), from
 * values (`bind`) and from tables of the read schema (`table`), so nothing of a request can become SQL text.
 */
export class Fragment {
  declare private readonly brand: 'fragment';
  constructor(readonly parts: readonly Part[]) {}
}

/** Fragments contain one another: a tree that `render` walks once. */
type Part = string | Bound | Table | Fragment;

/** A part that is counted when the text is made, because PostgreSQL's work grows with the number of such parts. */
class Counted extends Fragment {
  constructor(
    inner: Fragment,
    readonly kind: 'comparison' | 'query condition' | 'query value',
  ) {
    super([inner]);
  }
}

/** Marks a comparison. */
export const comparison = (condition: Fragment): Fragment => new Counted(condition, 'comparison');

/** Marks a condition that PostgreSQL plans as a query of its own: `x IN (SELECT …)`, `EXISTS (…)`. */
export const subQuery = (condition: Fragment): Fragment => new Counted(condition, 'query condition');

/** Marks a value that is a query in brackets. */
export const valueQuery = (value: Fragment): Fragment => new Counted(value, 'query value');

/** `` sql`a = ${fragment}` ``: the holes take fragments, never strings. */
export function sql(strings: TemplateStringsArray, ...holes: readonly Fragment[]): Fragment {
  const parts: Part[] = [strings[0] ?? ''];
  holes.forEach((hole, index) => {
    parts.push(hole, strings[index + 1] ?? '');
  });
  return new Fragment(parts);
}

// PostgreSQL refuses U+0000 in texts. Values are stored with U+FFFD in its place, so queries are changed in the same way.
const withoutNul = (text: string): string => text.replaceAll('\u0000', '\ufffd');

/** An escaped surrogate pair, one escaped code unit, or any other escape. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u([\da-fA-F]{4})|\\./g;
const unstorable = /^(0000|[dD][89a-fA-F].*)$/;

/** Replaces the escapes of characters that jsonb cannot store: U+0000, and half of a surrogate pair. */
const withoutUnstorable = (json: string): string =>
  json.includes('\\u')
    ? json.replace(escapes, (whole, code?: string) => (unstorable.test(code ?? '') ? '\ufffd' : whole))
    : json;

function storable(value: unknown, cast: BoundType): unknown {
  if (Array.isArray(value)) return value.map((one) => storable(one, cast));
  if (typeof value !== 'string') return value;
  return cast === 'jsonb' || cast === 'jsonb[]' ? withoutUnstorable(value) : withoutNul(value);
}

/** A parameter. jsonb takes JSON text, bigint decimal text, arrays take arrays of the same. */
export function bind(value: unknown, cast: BoundType): Fragment {
  return new Fragment([new Bound(storable(value, cast), cast, true)]);
}

/**
 * A parameter whose value does not matter to the plan: what is only printed, or a key that finds one row, or those of one node
 * or report. A statement that has no others keeps its plan.
 */
export function bindPlanIndependent(value: unknown, cast: BoundType): Fragment {
  return new Fragment([new Bound(storable(value, cast), cast, false)]);
}

const identifier = /^[a-z_][a-z0-9_]*$/;

/** A table of the generation, qualified by its schema when the text is made. */
export function table(name: string): Fragment {
  if (!identifier.test(name)) throw new Error(`not a table name: ${name}`);
  return new Fragment([new Table(name)]);
}

/** A column alias or other name that the compiler counts up itself (`k1`). */
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

/** Conjunction; without members it holds. */
export const all = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? always : join(conditions.map(parenthesised), sql` AND `);

/** Disjunction; without members it does not hold. */
export const any = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0 ? never : join(conditions.map(parenthesised), sql` OR `);

export const parenthesised = (fragment: Fragment): Fragment => sql`(${fragment})`;

// What the protocol of PostgreSQL can number.
const maxParameters = 65_535;

/**
 * PostgreSQL makes joins of the sub-queries of a conjunction, and its planning time grows with about the third power of
 * their number: 100 take 4 s. From this number on they are planned one by one.
 */
const mostJoinedQueries = 10;

/**
 * Text and parameters for the driver; `schema` is the trusted name of a generation. Faults: `query.limit` for too many
 * comparisons or sub-queries, `query.too-long` for too many parameters.
 */
export function render(fragment: Fragment, schema: string, limits: Limits): Sql {
  if (!identifier.test(schema)) throw new Error(`not a schema name: ${schema}`);
  const { comparisons, queries } = count(fragment);
  checkLimit(limits, 'queryConditions', comparisons);
  checkLimit(limits, 'querySubqueries', queries);
  const values: unknown[] = [];
  // A value that a statement uses several times is sent once.
  const numbers = new Map<Bound, number>();
  const pieces: string[] = [];
  let canBePrepared = true;
  for (const part of leaves(fragment, queries > mostJoinedQueries)) {
    if (typeof part === 'string') pieces.push(part);
    else if (part instanceof Table) pieces.push(`${schema}.${part.name}`);
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

/** A fragment on the way down, and the place of the next part. */
interface Open {
  readonly parts: readonly Part[];
  next: number;
}

// Both go with a stack of their own, because fragments can be deep.

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
function* leaves(fragment: Fragment, apart: boolean): Generator<string | Bound | Table> {
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
