import type { Database } from './database';

/** Tells this database from all others, whatever name and address it is reached by: the server's own number and the database's. */
export async function databaseIdentity(db: Database): Promise<string> {
  const [row] = await db.query<{ identity: string }>({
    text: `SELECT s.system_identifier || '-' || d.oid AS identity
           FROM pg_control_system() AS s, pg_database AS d WHERE d.datname = current_database()`,
    values: [],
  });
  return row?.identity ?? '';
}
