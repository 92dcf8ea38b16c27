import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '#database';

const longestMs = 60_000;

/**
 * Stops a process at a statement: takes a lock that the statement needs, calls `start`, waits until a connection of this
 * application waits for the lock, and then calls `kill`. Afterwards PostgreSQL finishes the statement of the killed process
 * (it notices the end of a client only when it answers), or, with `lost`, aborts it. Returns false if nothing has waited
 * for the lock before `start` ended.
 */
export async function killAtLock(
  db: Database,
  lock: string,
  {
    application,
    start,
    kill,
    lost,
  }: { application: string; start: () => Promise<unknown>; kill: () => Promise<unknown>; lost: boolean },
): Promise<boolean> {
  let started: Promise<unknown> = Promise.resolve();
  const wasBlocked = await db.transaction(async (session) => {
    await session.query({ text: lock, values: [] });
    let hasEnded = false;
    started = start().finally(() => (hasEnded = true));
    started.catch(() => undefined);
    for (const deadline = Date.now() + longestMs; ; await delay(5)) {
      if ((await waiting(db, application)).length > 0) break;
      if (hasEnded) return false;
      if (Date.now() > deadline) throw new Error(`nothing waited for: ${lock}`);
    }
    await kill();
    if (lost) for (const pid of await waiting(db, application)) await end(db, pid);
    return true;
  });
  await started.catch(() => undefined);
  return wasBlocked;
}

async function waiting(db: Database, application: string): Promise<number[]> {
  const rows = await db.query<{ pid: number }>({
    text: `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND application_name LIKE $1`,
    values: [application],
  });
  return rows.map(({ pid }) => pid);
}

const end = (db: Database, pid: number): Promise<unknown> =>
  db.query({ text: 'SELECT pg_terminate_backend($1)', values: [pid] });
