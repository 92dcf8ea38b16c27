import type { Database } from './database';

/** Returns an identifier of the database, which does not change if the address of the server changes. */
export async function databaseIdentity(db: Database): Promise<string> {
  const [row] = await db.query<{ identity: string }>({
    text: `SELECT s.system_identifier || '-' || d.oid AS identity
           FROM pg_control_system() AS s, pg_database AS d WHERE d.datname = current_database()`,
    values: [],
  });
  return row?.identity ?? '';
}
