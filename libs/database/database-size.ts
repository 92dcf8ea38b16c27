import type { Database } from './database';

/** Bytes on disk. */
export interface DatabaseSize {
  readonly all: number;
  /** Size of the present rows of all generations, in bytes. Includes indexes, but not the earlier versions of rows. */
  readonly tables: number;
  /** Size of the earlier versions of rows and of the timelines in all generations, in bytes. Includes indexes. */
  readonly past: number;
  /** Undefined if the database user is not allowed to see the write-ahead log. */
  readonly wal: number | undefined;
}

export async function readDatabaseSize(db: Pick<Database, 'query'>): Promise<DatabaseSize> {
  const [size = { all: 0, tables: 0, past: 0, seesWal: false }] = await db.query<DatabaseSize & { seesWal: boolean }>({
    text: `
      SELECT pg_database_size(current_database())::float8 AS "all",
             coalesce(sum(t.bytes) FILTER (WHERE NOT t.is_past), 0)::float8 AS tables,
             coalesce(sum(t.bytes) FILTER (WHERE t.is_past), 0)::float8 AS past,
             has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS "seesWal"
      FROM (SELECT pg_total_relation_size(c.oid) AS bytes, c.relname ~ '_past$|^history_|^timeline$|^known_nodes$|^deleted_nodes$' AS is_past
            FROM nodeledger.generations g JOIN pg_namespace n ON n.nspname = g.schema_name
            JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind = 'r') AS t`,
    values: [],
  });
  const { seesWal, ...sizes } = size;
  if (!seesWal) return { ...sizes, wal: undefined };
  const [wal] = await db.query<{ bytes: number }>({
    text: 'SELECT coalesce(sum(size), 0)::float8 AS bytes FROM pg_ls_waldir()',
    values: [],
  });
  return { ...sizes, wal: wal?.bytes };
}
