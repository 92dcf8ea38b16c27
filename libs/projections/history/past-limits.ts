import type { Session } from '#database';
import type { Position } from '#log';

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

/** Age limits delete these rows from the current tables and from the past. `nodes`: the reports of purged nodes. */
type RemovedForEver = 'reports' | 'events' | 'nodes';

/**
 * Stores that the record at this position has removed rows of this kind, so that responses about earlier times can
 * mention the removal. Does nothing if the tables have no past.
 */
export async function noteRemoved(
  session: Session,
  schema: string,
  kind: RemovedForEver,
  before: string,
  { partition, offset }: Position,
): Promise<void> {
  const name = { reports: 'reports_removed', events: 'events_removed', nodes: 'nodes_purged' }[kind];
  await session.query({
    text: `UPDATE ${schema}.history_starts SET ${name}_at = $1, ${name}_before = greatest(${name}_before, $2::timestamptz)
           WHERE log_partition = $3`,
    values: [offset, before, partition],
  });
}
