import { csvText, ndjsonText, rowCells } from '#query';
import { unescapeString } from '#wire';
import { onLines, onOneLine, plainJson } from '../on-one-line';
import { paint, paintTitle } from '../paint';

export const rowFormats = ['table', 'json', 'ndjson', 'csv', 'spreadsheet'] as const;
export type RowFormat = (typeof rowFormats)[number];

type Rows = AsyncIterable<string>;
type Writer = (rows: Rows, options: TableOptions) => AsyncGenerator<string>;

interface TableOptions {
  /** With Infinity, values are not cut. */
  readonly width: number;
}

/**
 * The widths of the columns are calculated from this many rows at the beginning. Longer values in later rows are cut.
 */
const measuredRows = 200;
/**
 * Smallest width of a column in characters. If a column would be narrower, each row is printed as a list of its fields.
 */
const leastWidth = 12;
const gap = '  ';

function shown(value: string | undefined): string {
  if (value === undefined || value === 'null') return '';
  return value.startsWith('"') ? unescapeString(value.slice(1, -1)) : value;
}

async function* json(rows: Rows): AsyncGenerator<string> {
  let before = '[';
  for await (const row of rows) {
    yield `${before}\n${row}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

async function* inChunks(rows: Rows): AsyncGenerator<string[]> {
  for await (const row of rows) yield [row];
}

async function* table(rows: Rows, { width }: TableOptions): AsyncGenerator<string> {
  const first: ReadonlyMap<string, string>[] = [];
  let body: ((cells: ReadonlyMap<string, string>) => string) | undefined;
  let count = 0;
  let hasCut = false;
  const fit = (text: string, columnWidth: number): string => {
    if (text.length <= columnWidth || width === Infinity) return text;
    hasCut = true;
    return `${text.slice(0, columnWidth - 1)}…`;
  };
  const begin = (): string => {
    const titles = [...new Set(first.flatMap((cells) => [...cells.keys()]))];
    const widths = columnWidths(titles, first, width);
    if (widths === undefined) {
      const asList = listOf(titles, width, fit);
      body = (cells) => `\n${asList(cells)}`;
      return first.map(asList).join('\n');
    }
    const last = titles.length - 1;
    const line = (text: (title: string) => string, style: (title: string, text: string, padded: string) => string) => {
      const texts = titles.map((title, column) => {
        const whole = text(title);
        const cell = fit(whole, widths[column] ?? 0);
        return style(title, whole, column === last ? cell : cell.padEnd(widths[column] ?? 0));
      });
      return `${texts.join(gap).trimEnd()}\n`;
    };
    body = (cells) => line((title) => cellText(cells, title), paintStatus);
    return line(onOneLine, (_, __, padded) => paintTitle(padded)) + first.map(body).join('');
  };
  for await (const row of rows) {
    count++;
    if (body !== undefined) yield body(rowCells(row));
    else if (first.push(rowCells(row)) === measuredRows) yield begin();
  }
  if (body === undefined && count > 0) yield begin();
  const advice = hasCut ? ' (values with … are cut; --wide shows them whole)' : '';
  yield `${count === 1 ? '1 row' : `${count} rows`}${advice}\n`;
}

const paintStatus = (title: string, text: string, padded: string): string =>
  title.endsWith('status') ? paint(text, padded) : padded;

const cellText = (cells: ReadonlyMap<string, string>, title: string): string => onOneLine(shown(cells.get(title)));

/**
 * If all columns fit, a column is as wide as its widest cell. Otherwise the widest columns share the remaining width.
 * Returns undefined if there are too many columns.
 */
function columnWidths(
  titles: readonly string[],
  rows: readonly ReadonlyMap<string, string>[],
  width: number,
): readonly number[] | undefined {
  const wanted = titles.map((title) => Math.max(title.length, ...rows.map((cells) => cellText(cells, title).length)));
  let left = width - gap.length * (titles.length - 1);
  const widths = new Array<number>(titles.length).fill(0);
  const byWidth = titles.map((_, column) => column).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  for (const [index, column] of byWidth.entries()) {
    const share = Math.floor(left / (byWidth.length - index));
    const columnWidth = Math.min(wanted[column] ?? 0, share);
    if (columnWidth < Math.min(wanted[column] ?? 0, leastWidth)) return undefined;
    widths[column] = columnWidth;
    left -= columnWidth;
  }
  return widths;
}

function listOf(
  titles: readonly string[],
  width: number,
  fit: (text: string, width: number) => string,
): (cells: ReadonlyMap<string, string>) => string {
  const titleWidth = Math.max(...titles.map((title) => onOneLine(title).length));
  const valueWidth = Math.max(leastWidth, width - titleWidth - gap.length);
  return (cells) =>
    titles
      .map((title) => {
        const text = cellText(cells, title);
        const value = paintStatus(title, text, fit(text, valueWidth));
        return `${`${onOneLine(title).padEnd(titleWidth)}${gap}${value}`.trimEnd()}\n`;
      })
      .join('');
}

export const rowWriters: Readonly<Record<RowFormat, Writer>> = {
  table,
  json,
  ndjson: (rows) => ndjsonText(inChunks(rows)),
  csv: (rows) => csvText(inChunks(rows)),
  spreadsheet: (rows) => csvText(inChunks(rows), true),
};

/**
 * Removes or escapes control characters, because any node can choose the values in rows. The format `table` already
 * contains none.
 */
export const forTerminal = (format: RowFormat, text: string): string =>
  format === 'json' || format === 'ndjson' ? plainJson(text) : format === 'table' ? text : onLines(text);
