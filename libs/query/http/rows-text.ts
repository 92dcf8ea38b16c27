import { prettyJson } from './pretty-json';
import { rowCells } from './row-cells';
import { spellDouble } from './spell-double';
import { spreadsheetText } from './spreadsheet-text';

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

/** Rows as lines of JSON. */
export async function* ndjsonText(chunks: AsyncIterable<string[]>): AsyncGenerator<string> {
  // A line break within a row can only be one between its tokens.
  for await (const rows of chunks) yield rows.map((row) => `${row.replaceAll(/[\r\n]+\s*/g, ' ')}\n`).join('');
}

/**
 * Rows as CSV (RFC 4180), with a line of the names of their columns. Without rows, there is no such line. `forSpreadsheet`: no
 * text is a formula.
 */
export async function* csvText(chunks: AsyncIterable<string[]>, forSpreadsheet = false): AsyncGenerator<string> {
  let titles: readonly string[] | undefined;
  for await (const rows of chunks) {
    let text = '';
    for (const row of rows) {
      const cells = rowCells(row);
      if (titles === undefined) {
        titles = [...cells.keys()];
        text += csvLine(titles);
      }
      text += csvLine(titles.map((title) => csvValue(cells.get(title) ?? 'null', forSpreadsheet)));
    }
    yield text;
  }
}

// Readers of CSV skip lines that are empty, so a line of one empty cell has quotes.
const csvLine = (texts: readonly string[]): string => `${texts.map(csvCell).join(',') || '""'}\r\n`;

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Texts without quotes, null as nothing, everything else as JSON. */
function csvValue(json: string, forSpreadsheet: boolean): string {
  if (json === 'null') return '';
  if (!json.startsWith('"')) return json;
  const text = JSON.parse(json) as string;
  return forSpreadsheet ? spreadsheetText(text) : text;
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
