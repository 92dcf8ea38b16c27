/**
 * A lock between exports, which read single records of the log for a long time, and the snapshot that removes records. A
 * session holds it, so that no transaction stays open, and it ends with the connection.
 */
import { Fault } from '#fault';
import { databaseErrorCode } from './retriable';
import type { Session } from './session';

const key = `hashtextextended('nodeledger records of the log', 0)`;

/**
 * Keeps records from being removed from the log until the session ends. Fault `maintenance.busy` (conflict) while
 * records are being removed.
 */
export async function takeLogForKeeping(session: Pick<Session, 'query'>): Promise<void> {
  const [row] = await session.query<{ taken: boolean }>({
    text: `SELECT pg_try_advisory_lock_shared(${key}) AS taken`,
    values: [],
  });
  if (row?.taken === true) return;
  throw new Fault('conflict', 'maintenance.busy', 'a snapshot is removing records from the log', {
    hint: 'Try again when it has finished; nothing was started.',
  });
}

const lockNotAvailable = '55P03';

/**
 * Waits until no export runs, and refuses new ones until the session ends. `waits` is called before the first wait and
 * then every second; it throws to stop waiting.
 */
export async function takeLogForTruncation(session: Pick<Session, 'query'>, waits: () => void): Promise<void> {
  await session.query({ text: `SET lock_timeout = '1s'; SET statement_timeout = 0`, values: [] });
  for (;;) {
    try {
      await session.query({ text: `SELECT pg_advisory_lock(${key})`, values: [] });
      return;
    } catch (error) {
      if (databaseErrorCode(error) !== lockNotAvailable) throw error;
      waits();
    }
  }
}

/**
 * Releases the lock. Closing the session releases it, too, but PostgreSQL takes a moment to notice that. So errors are
 * ignored.
 */
export async function releaseLog(session: Pick<Session, 'query'>): Promise<void> {
  await session.query({ text: `SELECT pg_advisory_unlock(${key})`, values: [] }).catch(() => undefined);
}
