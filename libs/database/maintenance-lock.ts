import { Fault } from '#fault';
import type { Database } from './database';
import { withoutTimeouts } from './untimed';

/**
 * Lets only one rebuild, verification, snapshot, backup or copy run on a database at a time, in all processes. The lock
 * ends with its connection, so a crash leaves none behind. `work` gets a function that throws if the lock is lost; call
 * it before steps that cannot be undone. Fault `maintenance.busy` (conflict) if another process has the lock.
 */
export async function withMaintenanceLock<T>(
  db: Database,
  work: (requireLock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return db.transaction(async (session) => {
    // The session is idle during the work.
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
