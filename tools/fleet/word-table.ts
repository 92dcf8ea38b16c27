/** Returns the words of a text. */
export const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Returns the cells of a table: a row for each line, cells separated by ` | `. */
export const rowsIn = (table: string): readonly (readonly string[])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' | '));
