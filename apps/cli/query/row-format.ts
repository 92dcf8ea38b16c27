/** How rows are written: each format takes the texts of rows, one after another, and gives the text to print. */
import { spreadsheetText } from '#query';
import { allMembers, unescapeString } from '#wire';
import { onLines, onOneLine, plainJson } from '../on-one-line';
import { paint, paintTitle } from '../paint';

export const rowFormats = ['table', 'json', 'ndjson', 'csv', 'spreadsheet'] as const;
export type RowFormat = (typeof rowFormats)[number];

type Rows = AsyncIterable<string>;
type Writer = (rows: Rows, options: TableOptions) => AsyncGenerator<string>;

interface TableOptions {
  /** Characters of the widest line. Infinity: values are not cut. */
  readonly width: number;
}

/** The widths of columns come from this many rows; those of later rows are cut. */
const measuredRows = 200;
/** A row of so many columns that one would be cut to less than this is printed as a list of its fields. */
const leastWidth = 12;
const gap = '  ';

/** What a person reads of a value: texts without quotes, null as nothing, everything else as JSON. */
function shown(value: string | undefined): string {
  if (value === undefined || value === 'null') return '';
  return value.startsWith('"') ? unescapeString(value.slice(1, -1)) : value;
}

/** The members of a row; a row that is no object has one, `value`. */
const cellsOf = (row: string): ReadonlyMap<string, string> => allMembers(row) ?? new Map([['value', row]]);

async function* json(rows: Rows): AsyncGenerator<string> {
  let before = '[';
  for await (const row of rows) {
    yield `${before}\n${row}`;
    before = ',';
  }
  yield before === '[' ? '[]\n' : '\n]\n';
}

async function* ndjson(rows: Rows): AsyncGenerator<string> {
  // A line break within a row can only be one between its tokens.
  for await (const row of rows) yield `${row.replaceAll(/[\r\n]+\s*/g, ' ')}\n`;
}

/** RFC 4180. Columns are those of the first row; a later row has empty cells for what it lacks. */
async function* csv(
  rows: Rows,
  _options: TableOptions,
  write: (text: string) => string = (text) => text,
): AsyncGenerator<string> {
  let titles: readonly string[] | undefined;
  for await (const row of rows) {
    const cells = cellsOf(row);
    if (titles === undefined) {
      titles = [...cells.keys()];
      yield csvLine(titles);
    }
    yield csvLine(
      titles.map((title) => {
        const value = cells.get(title);
        return value?.startsWith('"') === true ? write(shown(value)) : shown(value);
      }),
    );
  }
}

/** CSV without formulas. */
const spreadsheet: Writer = (rows, options) => csv(rows, options, spreadsheetText);

// Readers of CSV skip lines that are empty, so a line of one empty cell has quotes.
const csvLine = (texts: readonly string[]): string => `${texts.map(csvCell).join(',') || '""'}\r\n`;

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

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
    if (body !== undefined) yield body(cellsOf(row));
    else if (first.push(cellsOf(row)) === measuredRows) yield begin();
  }
  if (body === undefined && count > 0) yield begin();
  const advice = hasCut ? ' (values with … are cut; --wide shows them whole)' : '';
  yield `${count === 1 ? '1 row' : `${count} rows`}${advice}\n`;
}

/** Colors the values of columns such as `latest_report_status`. */
const paintStatus = (title: string, text: string, padded: string): string =>
  title.endsWith('status') ? paint(text, padded) : padded;

const cellText = (cells: ReadonlyMap<string, string>, title: string): string => onOneLine(shown(cells.get(title)));

/** Columns as wide as their widest cell, if that fits; otherwise the widest ones share what the others leave. Undefined: too many. */
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

/** A row with a line for each field, for rows with too many columns for a table. */
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

export const rowWriters: Readonly<Record<RowFormat, Writer>> = { table, json, ndjson, csv, spreadsheet };

/** The text of a format without control sequences of terminals: rows contain values that any node can set. The cells of tables have none. */
export const forTerminal = (format: RowFormat, text: string): string =>
  format === 'json' || format === 'ndjson' ? plainJson(text) : format === 'table' ? text : onLines(text);
