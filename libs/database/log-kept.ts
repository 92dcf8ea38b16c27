/**
 * Prevents a snapshot from deleting records of the log while exports read them. A session holds the lock, because an
 * export takes long and must not keep a transaction open.
 */
import { Fault } from '#fault';
import { isLockTimeout } from './retriable';
import type { Session } from './session';

const key = `hashtextextended('nodeledger records of the log', 0)`;

/** Takes the lock for an export. Throws `maintenance.busy` while a snapshot deletes records. */
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

/**
 * Waits until no export runs, and refuses new exports until the session ends. Calls `waits` every second during the
 * wait. `waits` can throw to end the wait.
 */
export async function takeLogForTruncation(session: Pick<Session, 'query'>, waits: () => void): Promise<void> {
  await session.query({ text: `SET lock_timeout = '1s'; SET statement_timeout = 0`, values: [] });
  for (;;) {
    try {
      await session.query({ text: `SELECT pg_advisory_lock(${key})`, values: [] });
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      waits();
    }
  }
}

/** PostgreSQL also releases the lock when the session closes. */
export async function releaseLog(session: Pick<Session, 'query'>): Promise<void> {
  await session.query({ text: `SELECT pg_advisory_unlock(${key})`, values: [] }).catch(() => undefined);
}
