import { Fault } from '#fault';
import type { Database } from './database';
import { withoutTimeouts } from './untimed';

/**
 * Lets only one rebuild, verification, snapshot, backup or copy run on a database at a time, in all processes. `work`
 * gets a function that throws if the lock is lost. It must call this function before steps that cannot be undone.
 * Throws `maintenance.busy`.
 */
export async function withMaintenanceLock<T>(
  db: Database,
  work: (requireLock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return db.transaction(async (session) => {
    // Without timeouts, because the transaction is idle during the work.
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
