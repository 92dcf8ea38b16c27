/** Statements that move earlier versions of rows to the past. */
import { pastName, columnsAt } from '../schema/past';
import { tablesWithPast } from '../schema/read-tables';

interface PastColumns {
  readonly since: string;
  readonly names: readonly string[];
}

const byName = new Map<string, PastColumns>(
  tablesWithPast.map((table) => [
    table.name,
    { since: table.history.since, names: columnsAt(table).map(({ name }) => name) },
  ]),
);

function columnsOfPast(table: string): PastColumns {
  const found = byName.get(table);
  if (found === undefined) throw new Error(`${table} has no past`);
  return found;
}

/** Returns the column with the offset of the record since which a row holds. */
export const sinceOf = (table: string): string => columnsOfPast(table).since;

/** Returns SQL of the list of columns of the past of a table. */
const listed = (table: string): string => [...columnsOfPast(table).names, 'since', 'until'].join(', ');

/** Returns the values of the row `s` of a table for its past. `until`: SQL of the offset of the record that ends it. */
const valuesOf = (table: string, until: string): string => {
  const { names, since } = columnsOfPast(table);
  return [...names.map((name) => `s.${name}`), `s.${since}`, until].join(', ');
};

/**
 * Returns a statement that stores versions of rows `s`, which `condition` finds by their key for each row of `source`. Looks up each
 * row in the index (OFFSET 0), because PostgreSQL would read a whole table of a small fleet. Versions that the same record
 * has made and ends are left out.
 */
export const insertPast = (schema: string, table: string, until: string, source: string, condition: string): string => {
  const { since } = columnsOfPast(table);
  return `INSERT INTO ${schema}.${pastName(table)} (${listed(table)})
    SELECT ${valuesOf(table, until)} FROM ${source}, LATERAL (SELECT * FROM ${schema}.${table} s WHERE ${condition} OFFSET 0) s
    WHERE s.${since} < ${until}`;
};

/**
 * Returns a statement that deletes rows `s`. `condition`: from USING or WHERE on. If `until` is given, their last versions move to the
 * past.
 */
export function deleteRows(schema: string, table: string, condition: string, until: string | undefined): string {
  const deletion = `DELETE FROM ${schema}.${table} s ${condition}`;
  if (until === undefined) return deletion;
  return `WITH gone AS (${deletion} RETURNING ${valuesOf(table, `${until} AS until`)})
    INSERT INTO ${schema}.${pastName(table)} (${listed(table)}) SELECT * FROM gone WHERE ${columnsOfPast(table).since} < until`;
}
