export interface Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Each connection prepares the statement under this name. Two different texts must not have the same name. */
  readonly name?: string;
  /** Whether the same plan is best for all values of the parameters. */
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
 * Makes a statement from a template. Each `${value}` becomes a parameter. If the value is a statement, it is inserted
 * instead, with renumbered parameters. Identifiers must be in the text of the template.
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
