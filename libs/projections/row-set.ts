import { arrayLiteral, type Session } from '#database';
import type { Cell } from './copy-rows';
import { insertPast, sinceOf } from './history/move-to-past';
import type { Column } from './schema/columns-of';
import { tableColumns } from './schema/read-tables';

/** Rows of one table for an insert from arrays (`unnest`). If all rows are new, CopyRows is faster. */
export class RowSet {
  private readonly cells: Cell[][];
  size = 0;

  /** `table` and `columns` must never come from a request, because they become SQL text. */
  constructor(
    readonly table: string,
    readonly columns: readonly Column[] = tableColumns(table),
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

  /** SQL of the form `unnest($1::text[], …) AS t(a, …)`. The columns have the type text. `selectList` casts them. */
  get source(): string {
    const arrays = this.columns.map(({ type }, index) =>
      type === 'jsonb' ? `string_to_array($${index + 1}, chr(1), chr(2))` : `$${index + 1}::text[]`,
    );
    return `unnest(${arrays.join(', ')}) AS t(${this.columnList})`;
  }

  get selectList(): string {
    return this.columns
      .map(({ name, type }) => (type === 'text' ? `t.${name}` : `t.${name}::${type} AS ${name}`))
      .join(', ');
  }

  get values(): string[] {
    return this.columns.map(({ type }, index) => {
      const cells = this.cells[index] as Cell[];
      return type === 'jsonb' ? listOfJson(cells) : arrayLiteral(cells);
    });
  }

  /**
   * `suffix` follows the SELECT, such as `ON CONFLICT …`. If `name` is given, each connection prepares the statement
   * under this name.
   */
  async insert(session: Session, schema: string, suffix: string, name?: string): Promise<void> {
    if (this.size === 0) return;
    await session.query({
      ...(name !== undefined && { name }),
      text: `INSERT INTO ${schema}.${this.table} AS s (${this.columnList}) SELECT ${this.selectList} FROM ${this.source} ${suffix}`,
      values: this.values,
    });
  }

  /**
   * Replaces rows with the same key. The key consists of the first `key` columns. If `keepsPast` is true, the replaced
   * versions move to the past table. `differs` returns the SQL condition that the stored row `s` differs from the new
   * row.
   */
  async replace(
    session: Session,
    schema: string,
    { keepsPast, key = 1, differs }: { keepsPast: boolean; key?: number; differs?: (row: string) => string },
  ): Promise<void> {
    if (this.size === 0) return;
    const names = this.columns.map(({ name }) => name);
    const keys = names.slice(0, key);
    const assignments = names.slice(key).map((name) => `${name} = excluded.${name}`);
    const conflict = `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${assignments.join(', ')}
      ${differs === undefined ? '' : `WHERE ${differs('excluded')}`}`;
    if (!keepsPast) return this.insert(session, schema, conflict);
    const isSame = keys.map((name) => `s.${name} = t.${name}`).join(' AND ');
    const replaced = `${isSame}${differs === undefined ? '' : ` AND (${differs('t')})`}`;
    await session.query({
      name: `replace-${schema}-${this.table}-${this.columns.length}`,
      text: `WITH t AS MATERIALIZED (SELECT ${this.selectList} FROM ${this.source}),
               moved AS (${insertPast(schema, this.table, `t.${sinceOf(this.table)}`, 't', replaced)})
             INSERT INTO ${schema}.${this.table} AS s (${this.columnList}) SELECT * FROM t ${conflict}`,
      values: this.values,
    });
  }
}

/**
 * Joins JSON texts for `string_to_array`, because an array literal would have to escape many quotes. JSON always
 * escapes the two separators.
 */
const listOfJson = (cells: readonly Cell[]): string => cells.map((cell) => cell ?? '\u0002').join('\u0001');
