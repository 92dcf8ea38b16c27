import { Fault } from '#fault';
import type { Database } from './database';
import { withoutTimeouts } from './untimed';

/**
 * Lets one of rebuild, verification, snapshot, backup and copy work on a database at a time, whatever process it runs in. The
 * lock goes with its connection, so a crash leaves none. `work` gets a function that throws where the connection, and
 * with it the lock, is lost: to be asked before what cannot be undone. Fault `maintenance.busy` (conflict) where another
 * has the lock.
 */
export async function withMaintenanceLock<T>(
  db: Database,
  work: (requireLock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return db.transaction(async (session) => {
    // It is idle for as long as the work takes.
    await withoutTimeouts(session);
    const [row] = await session.query<{ taken: boolean }>({
      text: `SELECT pg_try_advisory_xact_lock(hashtextextended('nodeledger maintenance', 0)) AS taken`,
      values: [],
    });
    if (row?.taken !== true) {
      throw new Fault(
        'conflict',
        'maintenance.busy',
        'a rebuild, verification, snapshot, backup or copy of the log is already running',
        {
          hint: 'Wait until it has finished; nothing was started.',
        },
      );
    }
    return work(async () => {
      await session.query({ text: 'SELECT', values: [] });
    });
  });
}
