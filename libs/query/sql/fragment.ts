import type { Sql } from '#database';
import { malformed } from '../ast/malformed';

/** A value that travels as a parameter; `cast` is the PostgreSQL type that it is read as. */
class Bound {
  constructor(
    readonly value: unknown,
    readonly cast: BoundType,
  ) {}
}

/** A table of the generation that is asked; its schema is known only when the text is made. */
class Table {
  constructor(readonly name: string) {}
}

export type BoundType =
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

/** `` sql`a = ${fragment}` ``: the holes take fragments, never strings. */
export function sql(strings: TemplateStringsArray, ...holes: readonly Fragment[]): Fragment {
  const parts: Part[] = [strings[0] ?? ''];
  holes.forEach((hole, index) => {
    parts.push(hole, strings[index + 1] ?? '');
  });
  return new Fragment(parts);
}

// PostgreSQL refuses U+0000 in texts; stored values carry U+FFFD in its place, so that is what a query means by it.
const withoutNul = (text: string): string => text.replaceAll('\u0000', '\ufffd');

function storable(value: unknown, cast: BoundType): unknown {
  if (Array.isArray(value)) return value.map((one) => storable(one, cast));
  if (typeof value !== 'string') return value;
  return cast === 'jsonb' || cast === 'jsonb[]' ? value.replaceAll('\\u0000', '\ufffd') : withoutNul(value);
}

/** A parameter. jsonb takes JSON text, bigint decimal text, arrays take arrays of the same. */
export function bind(value: unknown, cast: BoundType): Fragment {
  return new Fragment([new Bound(storable(value, cast), cast)]);
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

/** Text and parameters for the driver; `schema` is the trusted name of a generation. Fault: `query.too-long`. */
export function render(fragment: Fragment, schema: string): Sql {
  if (!identifier.test(schema)) throw new Error(`not a schema name: ${schema}`);
  const values: unknown[] = [];
  const pieces: string[] = [];
  for (const part of leaves(fragment)) {
    if (typeof part === 'string') pieces.push(part);
    else if (part instanceof Table) pieces.push(`${schema}.${part.name}`);
    else {
      values.push(part.value);
      if (values.length > maxParameters)
        throw malformed(
          'too-long',
          `The query compares with more than ${maxParameters} values, which is what PostgreSQL can take.`,
        );
      pieces.push(`$${values.length}::${part.cast}`);
    }
  }
  return { text: pieces.join(''), values };
}

/** The texts, parameters and tables of a fragment in their order. A stack of its own: fragments can be deep. */
function* leaves(fragment: Fragment): Generator<string | Bound | Table> {
  const open = [{ parts: fragment.parts, next: 0 }];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const part = top.parts[top.next++];
    if (part === undefined) open.pop();
    else if (part instanceof Fragment) open.push({ parts: part.parts, next: 0 });
    else yield part;
  }
}
