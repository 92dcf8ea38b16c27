import { arrayLiteral, type Session } from '#database';
import type { Cell, Column } from './copy-rows';

export type { Column };

/** Collects rows of one table by column, and inserts them from arrays (`unnest`). CopyRows is cheaper if none of the rows exists yet. */
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

  /** INSERT … SELECT FROM unnest, with what stands after it (`ON CONFLICT …`). */
  async insert(session: Session, schema: string, suffix: string): Promise<void> {
    if (this.size === 0) return;
    await session.query({
      text: `INSERT INTO ${schema}.${this.table} AS s (${this.columnList}) SELECT ${this.selectList} FROM ${this.source} ${suffix}`,
      values: this.values,
    });
  }

  /** Inserts rows whose first column is the primary key; a row with the same key is replaced. */
  async replace(session: Session, schema: string): Promise<void> {
    const [key, ...others] = this.columns.map(({ name }) => name);
    const assignments = others.map((name) => `${name} = excluded.${name}`);
    await this.insert(session, schema, `ON CONFLICT (${key}) DO UPDATE SET ${assignments.join(', ')}`);
  }
}

/**
 * JSON texts for `string_to_array`. They are full of quotes, each of which an array literal has to escape; but control
 * characters, which stand between them here, never stand in JSON as they are.
 */
const listOfJson = (cells: readonly Cell[]): string => cells.map((cell) => cell ?? '\u0002').join('\u0001');
