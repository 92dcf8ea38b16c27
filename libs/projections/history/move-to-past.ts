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

/** The column contains the offset of the record that made the row valid. */
export const sinceOf = (table: string): string => columnsOfPast(table).since;

const listed = (table: string): string => [...columnsOfPast(table).names, 'since', 'until'].join(', ');

/**
 * Returns the values of the row `s` for the past table. `until` is SQL for the offset of the record that ends the
 * version.
 */
const valuesOf = (table: string, until: string): string => {
  const { names, since } = columnsOfPast(table);
  return [...names.map((name) => `s.${name}`), `s.${since}`, until].join(', ');
};

/**
 * Returns SQL that copies rows `s` to the past table, except versions that the same record creates and ends.
 * `condition` finds `s` by its key for each row of `source`. OFFSET 0 makes PostgreSQL use the index even if the table
 * is small.
 */
export const insertPast = (schema: string, table: string, until: string, source: string, condition: string): string => {
  const { since } = columnsOfPast(table);
  return `INSERT INTO ${schema}.${pastName(table)} (${listed(table)})
    SELECT ${valuesOf(table, until)} FROM ${source}, LATERAL (SELECT * FROM ${schema}.${table} s WHERE ${condition} OFFSET 0) s
    WHERE s.${since} < ${until}`;
};

/**
 * Returns SQL that deletes rows `s`. `condition` begins with USING or WHERE. If `until` is given, the rows move to the
 * past table.
 */
export function deleteRows(schema: string, table: string, condition: string, until: string | undefined): string {
  const deletion = `DELETE FROM ${schema}.${table} s ${condition}`;
  if (until === undefined) return deletion;
  return `WITH gone AS (${deletion} RETURNING ${valuesOf(table, `${until} AS until`)})
    INSERT INTO ${schema}.${pastName(table)} (${listed(table)}) SELECT * FROM gone WHERE ${columnsOfPast(table).since} < until`;
}
