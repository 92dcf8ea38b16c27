import { arrayLiteral, type Session } from '#database';
import { type Cell, type Column, copyCell } from './copy-rows';

export type { Column };

/** Rows on their way to one table, kept by column: for COPY (plain inserts) or as arrays for `unnest` (everything else). */
export class RowSet {
  private readonly cells: Cell[][];
  size = 0;

  /** `table` and `columns` are names of this lib's own schema file, never of a request. */
  constructor(
    readonly table: string,
    readonly columns: readonly Column[],
  ) {
    this.cells = columns.map(() => []);
  }

  push(...row: Cell[]): void {
    for (let index = 0; index < this.cells.length; index++) (this.cells[index] as Cell[]).push(row[index] ?? null);
    this.size++;
  }

  get columnList(): string {
    return this.columns.map((column) => column.name).join(', ');
  }

  /** `unnest($1::text[], …) AS t(a, …)`: arrays of text, which `selectList` casts. */
  get source(): string {
    const arrays = this.columns.map(({ type }, index) =>
      type === 'jsonb' ? `string_to_array($${index + 1}, chr(1), chr(2))` : `$${index + 1}::text[]`,
    );
    return `unnest(${arrays.join(', ')}) AS t(${this.columnList})`;
  }

  get selectList(): string {
    return this.columns.map(({ name, type }) => (type === 'text' ? `t.${name}` : `t.${name}::${type}`)).join(', ');
  }

  get values(): string[] {
    return this.columns.map(({ type }, index) => {
      const cells = this.cells[index] as Cell[];
      return type === 'jsonb' ? listOfJson(cells) : arrayLiteral(cells);
    });
  }

  /** Inserts all rows by COPY; they must not exist yet. */
  async copy(session: Session, schema: string): Promise<void> {
    if (this.size === 0) return;
    await session.copyIn(`COPY ${schema}.${this.table} (${this.columnList}) FROM STDIN`, this.copyText());
  }

  /** INSERT … SELECT FROM unnest, with what stands after it (`ON CONFLICT …`). */
  async insert(session: Session, schema: string, suffix: string): Promise<void> {
    if (this.size === 0) return;
    await session.query({
      text: `INSERT INTO ${schema}.${this.table} AS s (${this.columnList}) SELECT ${this.selectList} FROM ${this.source} ${suffix}`,
      values: this.values,
    });
  }

  private copyText(): string {
    const lines: string[] = [];
    for (let row = 0; row < this.size; row++) {
      let line = copyCell((this.cells[0] as Cell[])[row] as Cell);
      for (let index = 1; index < this.cells.length; index++) {
        line += '\t' + copyCell((this.cells[index] as Cell[])[row] as Cell);
      }
      lines.push(line);
    }
    return lines.join('\n') + '\n';
  }
}

/**
 * JSON texts for `string_to_array`. They are full of quotes, each of which an array literal has to escape; but control
 * characters, which stand between them here, never stand in JSON as they are.
 */
const listOfJson = (cells: readonly Cell[]): string => cells.map((cell) => cell ?? '\u0002').join('\u0001');
