/** Shapes of the size properties: texts of a chosen size, alone or around another text. */

/** Makes the text of a condition, value or document of a size. */
export type Grow = (n: number) => string;
/** Adds `n` repetitions around or next to a text. */
export type Wrap = (n: number, inner: string) => string;

/** Repeats a piece `n` times. A function gets the number of each repetition. */
export function times(n: number, piece: string | ((index: number) => string), separator = ''): string {
  if (typeof piece === 'string' && separator === '') return piece.repeat(n);
  const make = typeof piece === 'string' ? () => piece : piece;
  return Array.from({ length: n }, (_, index) => make(index)).join(separator);
}

export const quoted = (text: string): string => JSON.stringify(text);
