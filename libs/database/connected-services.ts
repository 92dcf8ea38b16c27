import { arrayLiteral } from './array-literal';
import type { Database } from './database';

/**
 * Application names of connections that the command line opens. They are not counted, because no service opens them.
 */
const besides = ['nodeledger maintenance', 'nodeledger migrations'];

/** Returns the number of connections that services on all machines have to this database. */
export async function connectedServices(db: Database): Promise<number> {
  const [row] = await db.query<{ connections: number }>({
    text: `SELECT count(*)::int AS connections FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'nodeledger %' AND application_name <> ALL ($1::text[])`,
    values: [arrayLiteral(besides)],
  });
  return row?.connections ?? 0;
}
