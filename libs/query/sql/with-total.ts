import type { Sql } from '#database';

/** Parts the total from the row. JSON text never holds a bare line break, and a number holds none at all. */
export const totalSeparator = '\n';

/**
 * Joins a statement and its total into one, so that both see the same snapshot: each row is preceded by the total and
 * `totalSeparator`; a statement without rows gives one row with nothing behind the separator. The order of the rows
 * stays, because a join without a condition from one row can only loop over them.
 */
export function withTotal(rows: Sql, total: Sql): Sql {
  const shifted = total.text.replace(/\$(\d+)/g, (_, index: string) => `$${Number(index) + rows.values.length}`);
  return {
    text: `SELECT t.row || E'\\n' || coalesce(r.row, '') AS row FROM (${shifted}) AS t LEFT JOIN (${rows.text}) AS r ON true`,
    values: [...rows.values, ...total.values],
  };
}
