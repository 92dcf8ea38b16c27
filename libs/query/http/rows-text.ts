import { prettyJson } from './pretty-json';
import { spellDouble } from './spell-double';

/** Rows as a JSON list, in pieces as they come. */
export async function* listText(chunks: AsyncIterable<string[]>, pretty: boolean): AsyncGenerator<string> {
  let before = pretty ? '[ ' : '[';
  const between = pretty ? ', ' : ',';
  for await (const rows of chunks) {
    const texts = pretty ? rows.map((row) => prettyJson(row)) : rows;
    // A wide row comes alone. It is passed on as it is, as joining would copy it.
    yield before;
    yield texts.length === 1 ? (texts[0] ?? '') : texts.join(between);
    before = between;
  }
  yield before === between ? (pretty ? ' ]' : ']') : `${before}]`;
}

/** The first row, or undefined without one. For sources of few rows: they are read to their end. */
export async function firstRow(chunks: AsyncIterable<string[]>): Promise<string | undefined> {
  let first: string | undefined;
  for await (const [row] of chunks) first ??= row;
  return first;
}

/** A record that is answered alone: over several lines, numbers that are not whole as Java spells doubles. */
export const recordText = (row: string): string => prettyJson(row, spellFraction);

function spellFraction(number: string): string {
  const double = Number(number);
  return /^-?\d+$/.test(number) || !Number.isFinite(double) ? number : spellDouble(double);
}
