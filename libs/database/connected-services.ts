import { arrayLiteral } from './sql-text';
import type { Database } from './database';

/** The command line connects under these application names. It is not counted, because it is no service. */
const besides = ['nodeledger maintenance', 'nodeledger migrations'];

export async function connectedServices(db: Database): Promise<number> {
  const [row] = await db.query<{ connections: number }>({
    text: `SELECT count(*)::int AS connections FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'nodeledger %' AND application_name <> ALL ($1::text[])`,
    values: [arrayLiteral(besides)],
  });
  return row?.connections ?? 0;
}
