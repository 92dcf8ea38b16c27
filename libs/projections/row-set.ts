import { arrayLiteral, type Session } from '#database';
import type { Cell, Column } from './copy-rows';

export type { Column };

/**
 * Collects rows of one table by column, and inserts them from arrays (`unnest`). CopyRows is cheaper if no row exists
 * yet.
 */
export class RowSet {
  private readonly cells: Cell[][];
  size = 0;

  /** `table` and `columns` come from this lib's schema, never from a request. */
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

  /** Returns `unnest($1::text[], …) AS t(a, …)`: arrays of text, which `selectList` casts. */
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

  /** Runs INSERT … SELECT FROM unnest, followed by `ON CONFLICT …`. */
  async insert(session: Session, schema: string, suffix: string): Promise<void> {
    if (this.size === 0) return;
    await session.query({
      text: `INSERT INTO ${schema}.${this.table} AS s (${this.columnList}) SELECT ${this.selectList} FROM ${this.source} ${suffix}`,
      values: this.values,
    });
  }

  /** Inserts rows whose first column is the primary key, and replaces rows with the same key. */
  async replace(session: Session, schema: string): Promise<void> {
    const [key, ...others] = this.columns.map(({ name }) => name);
    const assignments = others.map((name) => `${name} = excluded.${name}`);
    await this.insert(session, schema, `ON CONFLICT (${key}) DO UPDATE SET ${assignments.join(', ')}`);
  }
}

/**
 * Joins JSON texts for `string_to_array`. An array literal would have to escape their many quotes. The separators are
 * control characters, which JSON never contains unescaped.
 */
const listOfJson = (cells: readonly Cell[]): string => cells.map((cell) => cell ?? '\u0002').join('\u0001');
