/**
 * The form in which two generations are compared: the rows of each table as text, without documents that age limits have
 * removed, and without shared rows that no row refers to. Keys are made from content, so they are compared, too.
 */
import type { Session } from '#database';
import { isLeft } from '../maintenance/removed-reports';
import type { OwnTable } from '../schema/read-table';
import { ownTables } from '../schema/read-tables';
import { sharedTables, type SharedTable } from '../schema/shared-tables';

export interface CanonicalTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that identify a row. */
  readonly key: readonly string[];
  /** Whether each row belongs to a node. */
  readonly ofNode: boolean;
}

/** The position of a row's record, which differs in another log. */
export const placeColumns: ReadonlySet<string> = new Set(['log_partition', 'log_offset']);

/** Returns the condition under which a row of a shared table is compared. */
const isUsed = (schema: string, { key, usedBy, listedIn }: SharedTable, hasRemovals: boolean): string =>
  listedIn === undefined
    ? usedBy
        .map(
          (user) =>
            `t.${key} IN (SELECT u.${key} FROM ${schema}.${user} u WHERE ${stays(schema, user, hasRemovals, 'u')})`,
        )
        .join(' OR ')
    : `t.${key} IN (SELECT unnest(${listedIn.column}) FROM ${schema}.${listedIn.table})`;

const ownTable = (name: string): OwnTable | undefined => ownTables.find((table) => table.name === name);

/** Leaves out what an age limit has removed, whether the rows are deleted yet or not. */
function stays(schema: string, name: string, hasRemovals: boolean, row: string): string {
  const table = hasRemovals ? ownTable(name) : undefined;
  return table === undefined ? 'true' : isLeft(schema, table, row);
}

/** Returns the condition under which a row `t` is compared. */
function counts(schema: string, name: string, hasRemovals: boolean): string {
  const shared = sharedTables.find((table) => table.name === name);
  if (shared !== undefined) return isUsed(schema, shared, hasRemovals);
  const shownBy = ownTable(name)?.shownBy;
  if (shownBy === undefined) return stays(schema, name, hasRemovals, 't');
  const isSame = shownBy.columns.map((column) => `r.${column} = t.${column}`).join(' AND ');
  // One index lookup for each row, because PostgreSQL 18 can fail to plan a join on a "char" column with a histogram
  // (cache lookup failed for collation 0).
  return `(SELECT true FROM ${schema}.${shownBy.table} r WHERE ${isSame} LIMIT 1)`;
}

/** Whether the tables know of reports that are taken but not deleted yet: since form 5. */
export async function hasRemovalsTable(session: Pick<Session, 'query'>, schema: string): Promise<boolean> {
  const [found] = await session.query<{ known: boolean }>({
    text: 'SELECT to_regclass($1) IS NOT NULL AS known',
    values: [`${schema}.removals`],
  });
  return found?.known === true;
}

/** Returns the read tables of a schema, sorted by name. */
export async function canonicalTables(session: Pick<Session, 'query'>, schema: string): Promise<CanonicalTable[]> {
  const rows = await session.query<{ name: string; columns: string[]; key: string[] | null }>({
    text: `SELECT c.relname AS name,
             (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
               WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
             (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_index i
               JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
               WHERE i.indrelid = c.oid AND i.indisprimary) AS key
           FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
           WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('kept_records', 'removals')
           ORDER BY 1`,
    values: [schema],
  });
  return rows.map(({ name, columns, key }) => ({
    name,
    columns,
    // Up to form 3 resource_events had no primary key.
    key: key ?? ['report', 'ordinal'],
    ofNode: columns.includes('node'),
  }));
}

/**
 * Returns a SELECT of `key`, `node`, `row` (JSON text) and `digest` (of the row) for the rows of a table that are
 * compared. Only the digests of all rows are kept at once, because whole rows take many times the space of the
 * compressed table.
 */
export function canonicalRows(
  schema: string,
  table: CanonicalTable,
  columns: readonly string[],
  hasRemovals: boolean,
): string {
  const key = table.key.map((column) => `t.${column}::text`).join(` || ' ' || `);
  return `SELECT ${key} AS key, ${table.ofNode ? 't.node' : 'NULL::bigint'} AS node, r.row,
            sha256(convert_to(r.row, 'UTF8')) AS digest
          FROM ${schema}.${table.name} t,
            LATERAL (SELECT row_to_json(x)::text AS row FROM (SELECT ${columns.map((column) => `t.${column}`).join(', ')}) x) r
          WHERE ${counts(schema, table.name, hasRemovals)}`;
}
