import { pieceCharacters, prettyJson, prettyPieces } from './pretty-json';
import { rowCells } from './row-cells';
import { spellDouble } from './spell-double';

export async function* listText(chunks: AsyncIterable<string[]>, pretty: boolean): AsyncGenerator<string> {
  let before = pretty ? '[ ' : '[';
  const between = pretty ? ', ' : ',';
  for await (const rows of chunks) {
    yield before;
    // A large row is alone in its chunk. Joining would copy the row.
    if (rows.length > 1) yield (pretty ? rows.map(prettyJson) : rows).join(between);
    else if (pretty) yield* prettyPieces(rows[0]!);
    else yield rows[0]!;
    before = between;
  }
  yield before === between ? (pretty ? ' ]' : ']') : `${before}]`;
}

export async function* ndjsonText(chunks: AsyncIterable<string[]>): AsyncGenerator<string> {
  // PostgreSQL escapes line breaks in strings, so a line break in a row is always between tokens.
  for await (const rows of chunks) yield rows.map((row) => `${row.replaceAll(/[\r\n]+\s*/g, ' ')}\n`).join('');
}

/**
 * Writes CSV (RFC 4180) with the names of the columns in the first line. Without rows, the text is empty.
 * `forSpreadsheet` prevents a spreadsheet program from running a text as a formula.
 */
export async function* csvText(chunks: AsyncIterable<string[]>, forSpreadsheet = false): AsyncGenerator<string> {
  let titles: readonly string[] | undefined;
  for await (const rows of chunks) {
    let text = '';
    for (const row of rows) {
      const cells = rowCells(row);
      const isFirst = titles === undefined;
      titles ??= [...cells.keys()];
      if (isFirst) text += [...csvLine(titles)].join('');
      for (const piece of csvLine(titles.map((title) => csvValue(cells.get(title) ?? 'null', forSpreadsheet)))) {
        text += piece;
        if (text.length < pieceCharacters) continue;
        yield text;
        text = '';
      }
    }
    yield text;
  }
}

/** Yields a long cell in several pieces, because doubling its quotes takes 10 ms for 1 MB. */
function* csvLine(texts: readonly string[]): Generator<string> {
  // A line that consists of one empty cell needs quotes, because readers of CSV skip empty lines.
  if (texts.length < 2 && !texts[0]) yield '""';
  for (const [index, text] of texts.entries()) {
    if (index > 0) yield ',';
    if (!/[",\r\n]/.test(text)) {
      yield text;
      continue;
    }
    yield '"';
    for (let at = 0; at < text.length; at += pieceCharacters)
      yield text.slice(at, at + pieceCharacters).replaceAll('"', '""');
    yield '"';
  }
  yield '\r\n';
}

/**
 * Texts that spreadsheet programs evaluate as a formula, such as `=1+1` or `@SUM(1)`. Does not match numbers with a
 * sign.
 */
const formula = /^(?:[=@\t\r]|[+-](?!\d+(?:\.\d+)?$))/;

function csvValue(json: string, forSpreadsheet: boolean): string {
  if (json === 'null') return '';
  if (!json.startsWith('"')) return json;
  const text = JSON.parse(json) as string;
  return forSpreadsheet && formula.test(text) ? `'${text}` : text;
}

/** Prints fractions as Java prints doubles. */
export const recordText = (row: string): Generator<string> => prettyPieces(row, spellFraction);

function spellFraction(number: string): string {
  const double = Number(number);
  return /^-?\d+$/.test(number) || !Number.isFinite(double) ? number : spellDouble(double);
}
