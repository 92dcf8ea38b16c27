import type { Database } from '#database';
import { partitionRows, type PartitionRow } from './statements';

/** The id of the embedded log that a database holds, whichever log is in use; undefined: it holds none. */
export async function embeddedLogId(db: Database): Promise<string | undefined> {
  const [first] = await db.query<PartitionRow>(partitionRows);
  return first?.log_id;
}
