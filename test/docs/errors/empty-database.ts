import { migrateControlTables } from '#database';
import { freshDatabase } from '../../support/postgres';

/** Calls `work` with a database that has control tables and no read tables. */
export async function migrated<T>(work: (connectionString: string) => Promise<T>): Promise<T> {
  const fresh = await freshDatabase();
  try {
    await migrateControlTables(fresh.connectionString);
    return await work(fresh.connectionString);
  } finally {
    await fresh.drop();
  }
}
