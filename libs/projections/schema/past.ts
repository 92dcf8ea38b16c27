/**
 * Derives the past of a table from its description: a table for the earlier versions of rows, and a function that
 * returns the rows at an earlier position. The record at `since` made a version valid, and the record at `until` ended
 * the version. The function gets an array `o` of offsets: `o[partition + 1]` is the first offset that is not applied.
 */
import { partitionOfNode } from '../maintenance/nodes-of';
import { columnsOf } from './columns-of';
import type { History, OwnTable } from './read-table';

export type TableWithPast = OwnTable & { readonly history: History & Required<Pick<History, 'key'>> };

export const hasPast = (table: OwnTable): table is TableWithPast => table.history?.key !== undefined;

export const pastName = (table: string): string => `${table}_past`;

/** Columns that have another name in the past table, or that only snapshots of the log read. */
const internalColumns = ['since', 'log_partition', 'log_offset'];

/** Returns the columns that a query about the past can read, without `since`. */
export function columnsAt({ name, ddl, history }: OwnTable): ReturnType<typeof columnsOf> {
  const left = [...(history?.without ?? []), ...internalColumns];
  return columnsOf({ name, ddl }).filter((column) => !left.includes(column.name));
}

export const historyBase = `
-- The positions at each time: of the records of a partition that were received until \`at\` (running maximum in the order of the log, to
-- the millisecond), the last one is before next_offset. Times before the first row of a partition cannot be asked.
CREATE TABLE {schema}.history_times (
  log_partition int NOT NULL,
  at timestamptz NOT NULL,
  next_offset bigint NOT NULL,
  PRIMARY KEY (log_partition, at)
);
-- The earliest position that can be asked. Without rows, the tables keep no past.
CREATE TABLE {schema}.history_starts (
  log_partition int PRIMARY KEY,
  next_offset bigint NOT NULL,
  -- What age limits have removed, of which no past is kept: reports and events of before a time, and reports of nodes that were
  -- purged because they had been inactive since before a time. _at: the offset of the last record that removed any.
  reports_removed_at bigint,
  reports_removed_before timestamptz,
  events_removed_at bigint,
  events_removed_before timestamptz,
  nodes_purged_at bigint,
  nodes_purged_before timestamptz
);
CREATE FUNCTION {schema}.offset_of(o bigint[], node bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS 'SELECT o[${partitionOfNode('node', 'array_length(o, 1)')} + 1]';
`;

export function historyDdl(table: OwnTable): string {
  const { name, history } = table;
  if (history === undefined) return '';
  const moment = (row: string): string => `{schema}.offset_of(o, ${row}.node)`;
  if (hasPast(table) && !isLong(table))
    return `${pastTable(table)}${functionAt(name, pastName(name), versionOfEachNode(table, moment('n')))}`;
  const now = `FROM {schema}.${name} r WHERE r.${history.since} < ${moment('r')}`;
  // The columns of RETURNS TABLE would get the default collation of the database. So the function returns a named row
  // type.
  if (!hasPast(table)) return functionAt(name, name, `SELECT r.* ${now}`);
  const names = columnsAt(table).map((column) => column.name);
  const past = pastName(name);
  return `${pastTable(table)}${functionAt(
    name,
    past,
    `SELECT ${names.map((column) => `r.${column}`).join(', ')}, r.${history.since}, NULL::bigint ${now}
  UNION ALL
  SELECT p.* FROM {schema}.${past} p WHERE p.since < ${moment('p')} AND p.until >= ${moment('p')}`,
  )}`;
}

/**
 * Uses an index to find the version of each node that was valid just before the record at the offset `moment`. A scan
 * of all versions would take longer as the past grows. PostgreSQL merges the join with known_nodes into the query. So a
 * query about some nodes reads only the versions of these nodes.
 */
function versionOfEachNode(table: TableWithPast, moment: string): string {
  const { name, history } = table;
  const names = [...columnsAt(table).map((column) => column.name)];
  const all = [...names, 'since', 'until'];
  return `SELECT ${all.map((column) => (column === 'node' ? 'n.node' : `v.${column}`)).join(', ')}
  FROM {schema}.known_nodes n CROSS JOIN LATERAL (
    SELECT ${names.map((column) => `r.${column}`).join(', ')}, r.${history.since}, NULL::bigint
    FROM {schema}.${name} r WHERE r.node = n.node AND r.${history.since} < ${moment}
    UNION ALL
    SELECT p.* FROM (SELECT * FROM {schema}.${pastName(name)} c WHERE c.node = n.node AND c.until >= ${moment} ORDER BY c.until LIMIT 1) p
    WHERE p.since < ${moment}) v (${all.join(', ')})`;
}

/** PostgreSQL inlines this function and plans its body as a part of the query. */
const functionAt = (name: string, rowType: string, body: string): string => `
CREATE FUNCTION {schema}.${name}_at(o bigint[]) RETURNS SETOF {schema}.${rowType} LANGUAGE sql STABLE PARALLEL SAFE AS $$
  ${body} $$;
`;

/**
 * Returns whether a node can have several rows in the table. One record often ends many of these rows. They have the
 * same (node, until), which an index stores only once. So the past table has an index instead of a primary key.
 */
const isLong = ({ history }: TableWithPast): boolean => history.key.length > 1;

function pastTable(table: TableWithPast): string {
  const past = `{schema}.${pastName(table.name)}`;
  const { indexes = [] } = table.history;
  const columns = columnsAt(table).map(
    ({ name, type, collation, isRequired }) => `  ${name} ${type}${collation}${isRequired ? ' NOT NULL' : ''},\n`,
  );
  return `
CREATE TABLE ${past} (
${columns.join('')}  since bigint NOT NULL,
  until bigint NOT NULL${
    isLong(table)
      ? ''
      : `,
  PRIMARY KEY (node, until)`
  }
);
${
  isLong(table)
    ? `CREATE INDEX ON ${past} (node, until);
`
    : ''
}${indexes.map((index) => `CREATE INDEX ON ${past} ${index};\n`).join('')}`;
}
