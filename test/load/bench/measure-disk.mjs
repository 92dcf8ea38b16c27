/** Measures the disk space of a side. */
import pg from 'pg';

export async function withDatabase(databaseUrl, work) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the schema of the live read tables of our server, or undefined for the database of another server. */
export async function liveSchema(client) {
  const { rows } = await client.query(`SELECT to_regclass('nodeledger.generations') IS NOT NULL AS is_ours`);
  if (!rows[0].is_ours) return undefined;
  const live = await client.query(`SELECT schema_name AS name FROM nodeledger.generations WHERE state = 'live'`);
  return live.rows[0]?.name;
}

const SIZES = `
  SELECT n.nspname AS schema, c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes,
         pg_indexes_size(c.oid)::float8 AS indexes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')
  ORDER BY 3 DESC`;

const KEPT_TABLES = 15;

/**
 * Returns the bytes of the database; for our server separately for read tables, log, and the rest. The write-ahead log
 * is that of the whole cluster.
 */
export async function measureDisk(client) {
  await client.query('CHECKPOINT');
  const schema = await liveSchema(client);
  const { rows: tables } = await client.query(SIZES);
  const total = (wanted) => tables.filter(wanted).reduce((sum, { bytes }) => sum + bytes, 0);
  const isLog = (table) => table.schema === 'nodeledger' && table.name.startsWith('log_');
  const [{ database }] = (await client.query('SELECT pg_database_size(current_database())::float8 AS database')).rows;
  const [{ wal }] = (await client.query('SELECT sum(size)::float8 AS wal FROM pg_ls_waldir()')).rows;
  return {
    database,
    wal,
    ...(schema === undefined ? {} : { readTables: total((table) => table.schema === schema), log: total(isLog) }),
    tables: tables.slice(0, KEPT_TABLES),
  };
}
