/** A statement and its bound values: one thing from birth, so that no value ever becomes text. */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Prepared once per connection under this name; one name must always stand for the same text. */
  readonly name?: string;
  /** The plan does not depend on the values, so PostgreSQL may reuse it. */
  readonly canBePrepared?: boolean;
}

class Statement implements Sql {
  constructor(
    readonly text: string,
    readonly values: readonly unknown[],
    readonly parts: readonly string[],
  ) {}
}

/**
 * Tagged template to Sql: each `${value}` becomes `$n`; a `${statement`...`}` is spliced in and its values renumbered.
 * Identifiers are not values: they have to be part of the template's own text.
 */
export function statement(parts: TemplateStringsArray, ...holes: readonly unknown[]): Sql {
  const pieces: string[] = [parts[0] as string];
  const values: unknown[] = [];
  holes.forEach((hole, index) => {
    const after = parts[index + 1] as string;
    if (!(hole instanceof Statement)) {
      values.push(hole);
      pieces.push(after);
      return;
    }
    pieces[pieces.length - 1] += hole.parts[0] as string;
    pieces.push(...hole.parts.slice(1));
    values.push(...hole.values);
    pieces[pieces.length - 1] += after;
  });
  const text = pieces.reduce((joined, piece, index) => `${joined}$${index}${piece}`);
  return new Statement(text, values, pieces);
}
