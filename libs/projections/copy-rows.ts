import type { Session } from '#database';

export type Cell = string | number | boolean | null;

export interface Column {
  readonly name: string;
  /** PostgreSQL type of the column. */
  readonly type: string;
}

const needsEscape = /[\\\n\r\t]/;
const toEscape = /[\\\n\r\t]/g;
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A value as COPY reads it. */
export function copyCell(value: Cell): string {
  if (typeof value === 'string')
    return needsEscape.test(value) ? value.replace(toEscape, (character) => escapes[character] as string) : value;
  if (value === null) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return String(value);
}

/** Rows for a table that does not have them yet, kept as the lines that COPY reads: the cheapest way for many rows. */
export class CopyRows {
  private readonly lines: string[] = [];

  /** `table` and `columns` are names of this lib's own schema file, never of a request. */
  constructor(
    private readonly table: string,
    private readonly columns: readonly Column[],
  ) {}

  push(...row: Cell[]): void {
    const cells = row as string[];
    for (let index = 0; index < row.length; index++) cells[index] = copyCell(row[index] as Cell);
    this.lines.push(cells.join('\t'));
  }

  /** Takes the rows that are the `text` of others for the same table. */
  append(text: string): void {
    if (text !== '') this.lines.push(text);
  }

  /** All rows, without the last one's end of line. */
  get text(): string {
    return this.lines.join('\n');
  }

  async write(session: Session, schema: string): Promise<void> {
    if (this.lines.length === 0) return;
    const names = this.columns.map(({ name }) => name).join(', ');
    await session.copyIn(`COPY ${schema}.${this.table} (${names}) FROM STDIN`, `${this.text}\n`);
  }
}
