import type { Database } from './database';
import { withoutTimeouts } from './untimed';

/**
 * Runs `work` under a lock with this name. Returns undefined if another process is running work with the same name on
 * this database.
 */
export async function tryWithLock<T>(db: Database, name: string, work: () => Promise<T>): Promise<T | undefined> {
  return db.transaction(async (session) => {
    // Without timeouts, because the transaction is idle during the work.
    await withoutTimeouts(session);
    const [row] = await session.query<{ taken: boolean }>({
      text: `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken`,
      values: [`nodeledger ${name}`],
    });
    return row?.taken === true ? work() : undefined;
  });
}
