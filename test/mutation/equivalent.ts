/**
 * Mutations that no test can notice, because the program does the same with them, each with the reason. They are not
 * drawn. An entry names the source, the text of the line, and what the mutation does.
 */
export interface Equivalent {
  readonly source: string;
  readonly line: string;
  readonly what: string;
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [];
