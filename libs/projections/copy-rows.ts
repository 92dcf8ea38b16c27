import type { Session } from '#database';
import { tableColumns } from './schema/read-tables';

export type Cell = string | number | boolean | null;

const needsEscape = /[\\\n\r\t]/;
const toEscape = /[\\\n\r\t]/g;
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function copyCell(value: Cell): string {
  if (typeof value === 'string')
    return needsEscape.test(value) ? value.replace(toEscape, (character) => escapes[character] as string) : value;
  if (value === null) return '\\N';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return String(value);
}

/** Rows for COPY, which is the fastest way to insert many rows. */
export class CopyRows {
  private readonly lines: string[] = [];

  /** `table` and `columns` must never come from a request, because they become SQL text. */
  constructor(
    private readonly table: string,
    private readonly columns: readonly { readonly name: string }[] = tableColumns(table),
  ) {}

  push(...row: Cell[]): void {
    const cells = row as string[];
    for (let index = 0; index < row.length; index++) cells[index] = copyCell(row[index] as Cell);
    this.lines.push(cells.join('\t'));
  }

  /** `text` contains rows of the same table, without the last line break. */
  append(text: string): void {
    if (text !== '') this.lines.push(text);
  }

  get text(): string {
    return this.lines.join('\n');
  }

  async write(session: Session, schema: string): Promise<void> {
    if (this.lines.length === 0) return;
    const names = this.columns.map(({ name }) => name).join(', ');
    await session.copyIn(`COPY ${schema}.${this.table} (${names}) FROM STDIN`, `${this.text}\n`);
  }
}
