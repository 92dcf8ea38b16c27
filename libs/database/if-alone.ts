import type { Database } from './database';

/**
 * Does the work unless another process is doing what has the same name on this database; then gives undefined. What says
 * so goes with its connection, so that a crash leaves none.
 */
export async function ifAlone<T>(db: Database, name: string, work: () => Promise<T>): Promise<T | undefined> {
  return db.transaction(async (session) => {
    const [row] = await session.query<{ taken: boolean }>({
      text: `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken`,
      values: [`nodeledger ${name}`],
    });
    return row?.taken === true ? work() : undefined;
  });
}
