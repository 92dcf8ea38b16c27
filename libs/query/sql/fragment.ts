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
  constructor(readonly parts: readonly (string | Bound | Table)[]) {}
}

/** `` sql`a = ${fragment}` ``: the holes take fragments, never strings. */
export function sql(strings: TemplateStringsArray, ...holes: readonly Fragment[]): Fragment {
  const parts: (string | Bound | Table)[] = [strings[0] ?? ''];
  holes.forEach((hole, index) => {
    parts.push(...hole.parts, strings[index + 1] ?? '');
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
  const parts: (string | Bound | Table)[] = [];
  fragments.forEach((fragment, index) => {
    if (index > 0) parts.push(...separator.parts);
    parts.push(...fragment.parts);
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

/** Text and parameters for the driver; `schema` is the trusted name of a generation. */
export function render(fragment: Fragment, schema: string): Sql {
  if (!identifier.test(schema)) throw new Error(`not a schema name: ${schema}`);
  const values: unknown[] = [];
  let text = '';
  for (const part of fragment.parts) {
    if (typeof part === 'string') text += part;
    else if (part instanceof Table) text += `${schema}.${part.name}`;
    else {
      values.push(part.value);
      text += `$${values.length}::${part.cast}`;
    }
  }
  if (values.length > maxParameters)
    throw malformed(
      'too-long',
      `The query compares with ${values.length} values; at most ${maxParameters} are possible`,
    );
  return { text, values };
}
