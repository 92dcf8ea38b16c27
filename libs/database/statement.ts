/**
 * A statement with its bound values. They belong together from the start, so that no value becomes part of the text.
 */
export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Name under which each connection prepares the statement. A name always belongs to the same text. */
  readonly name?: string;
  /** PostgreSQL may reuse the plan, because it does not depend on the values. */
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
 * Template tag that returns Sql. Each `${value}` becomes a parameter `$n`; a nested `${statement`...`}` is inserted and
 * its parameters renumbered. Identifiers are not values: they must be part of the template's own text.
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
