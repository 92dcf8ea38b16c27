import type { Database } from './database';

/**
 * Consists of the identifier of the server and the OID of the database, so it does not change if the address changes.
 */
export async function databaseIdentity(db: Database): Promise<string> {
  const [row] = await db.query<{ identity: string }>({
    text: `SELECT s.system_identifier || '-' || d.oid AS identity
           FROM pg_control_system() AS s, pg_database AS d WHERE d.datname = current_database()`,
    values: [],
  });
  return row?.identity ?? '';
}
