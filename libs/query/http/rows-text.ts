import { prettyJson } from './pretty-json';
import { rowCells } from './row-cells';
import { spellDouble } from './spell-double';
import { spreadsheetText } from './spreadsheet-text';

/** Writes rows as a JSON list. */
export async function* listText(chunks: AsyncIterable<string[]>, pretty: boolean): AsyncGenerator<string> {
  let before = pretty ? '[ ' : '[';
  const between = pretty ? ', ' : ',';
  for await (const rows of chunks) {
    const texts = pretty ? rows.map((row) => prettyJson(row)) : rows;
    // A wide row is alone in its chunk. Joining would copy it.
    yield before;
    yield texts.length === 1 ? (texts[0] ?? '') : texts.join(between);
    before = between;
  }
  yield before === between ? (pretty ? ' ]' : ']') : `${before}]`;
}

/** Writes each row as a line of JSON. */
export async function* ndjsonText(chunks: AsyncIterable<string[]>): AsyncGenerator<string> {
  // Line breaks in a row are always between tokens.
  for await (const rows of chunks) yield rows.map((row) => `${row.replaceAll(/[\r\n]+\s*/g, ' ')}\n`).join('');
}

/**
 * Writes rows as CSV (RFC 4180). The first line has the names of the columns, unless there are no rows. `forSpreadsheet`:
 * no text is a formula.
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

// A line with one empty cell has quotes, because readers of CSV skip empty lines.
const csvLine = (texts: readonly string[]): string => `${texts.map(csvCell).join(',') || '""'}\r\n`;

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Returns texts without quotes, null as an empty text, and other values as JSON. */
function csvValue(json: string, forSpreadsheet: boolean): string {
  if (json === 'null') return '';
  if (!json.startsWith('"')) return json;
  const text = JSON.parse(json) as string;
  return forSpreadsheet ? spreadsheetText(text) : text;
}

/** Prints a single record over several lines, with fractions as Java prints doubles. */
export const recordText = (row: string): string => prettyJson(row, spellFraction);

function spellFraction(number: string): string {
  const double = Number(number);
  return /^-?\d+$/.test(number) || !Number.isFinite(double) ? number : spellDouble(double);
}
