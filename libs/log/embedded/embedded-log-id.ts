import type { Database } from '#database';
import { partitionRows, type PartitionRow } from './statements';

/**
 * Returns the id of the log in the database, even if the service uses Kafka. Returns undefined if the database has no
 * log.
 */
export async function embeddedLogId(db: Database): Promise<string | undefined> {
  const [first] = await db.query<PartitionRow>(partitionRows);
  return first?.log_id;
}
