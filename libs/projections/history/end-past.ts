import type { Session } from '#database';

/**
 * Makes the past of a partition begin at the latest known position at or before the time `before`. `deletePast` deletes
 * the versions that no query can read any more.
 */
export async function endPast(session: Session, schema: string, partition: number, before: string): Promise<void> {
  await session.query({
    text: `WITH first AS (
             SELECT at, next_offset FROM ${schema}.history_times WHERE log_partition = $1 AND at <= $2::timestamptz ORDER BY at DESC LIMIT 1
           ), starts AS (
             UPDATE ${schema}.history_starts s SET next_offset = first.next_offset FROM first
             WHERE s.log_partition = $1 AND s.next_offset < first.next_offset
           )
           DELETE FROM ${schema}.history_times h USING first WHERE h.log_partition = $1 AND h.at < first.at`,
    values: [partition, before],
  });
}
