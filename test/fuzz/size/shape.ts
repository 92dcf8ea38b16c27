/** What grows in the size properties: texts of a chosen size, alone or around another text. */

/** Makes the text of a condition, value or document from a size. */
export type Grow = (n: number) => string;
/** Puts `n` of something around or beside a text. */
export type Wrap = (n: number, inner: string) => string;

/** A piece `n` times; a function gets the number of each. */
export function times(n: number, piece: string | ((index: number) => string), separator = ''): string {
  if (typeof piece === 'string' && separator === '') return piece.repeat(n);
  const make = typeof piece === 'string' ? () => piece : piece;
  return Array.from({ length: n }, (_, index) => make(index)).join(separator);
}

export const quoted = (text: string): string => JSON.stringify(text);
