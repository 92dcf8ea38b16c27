import type { Session } from '#database';
import type { Position } from '#log';

/** Rows that age limits remove without keeping their past: reports, their events, or the reports of purged nodes. */
export type RemovedForEver = 'reports' | 'events' | 'nodes';

/**
 * Stores which reports or events the record has removed, so that answers about earlier moments can say so. Does nothing if
 * the tables keep no past.
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
