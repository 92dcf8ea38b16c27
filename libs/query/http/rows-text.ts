import { prettyJson } from './pretty-json';
import { spellDouble } from './spell-double';

/** Rows as a JSON list, in pieces as they come. */
export async function* listText(chunks: AsyncIterable<string[]>, pretty: boolean): AsyncGenerator<string> {
  let before = pretty ? '[ ' : '[';
  const between = pretty ? ', ' : ',';
  for await (const rows of chunks) {
    yield before + (pretty ? rows.map((row) => prettyJson(row)) : rows).join(between);
    before = between;
  }
  yield before === between ? (pretty ? ' ]' : ']') : `${before}]`;
}

/** The first row, or undefined without one; the source is ended. */
export async function firstRow(chunks: AsyncIterable<string[]>): Promise<string | undefined> {
  for await (const rows of chunks) return rows[0];
  return undefined;
}

/** A record that is answered alone: over several lines, numbers that are not whole as Java spells doubles. */
export const recordText = (row: string): string => prettyJson(row, spellFraction);

function spellFraction(number: string): string {
  const double = Number(number);
  return /^-?\d+$/.test(number) || !Number.isFinite(double) ? number : spellDouble(double);
}
