export const wordsIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Each line of the text is a row, and ` | ` separates the cells. */
export const rowsIn = (table: string): readonly (readonly string[])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.split(' | '));
