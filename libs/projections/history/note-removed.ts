import type { Session } from '#database';
import type { Position } from '#log';

/** Age limits delete these rows from the current tables and from the past. `nodes`: the reports of purged nodes. */
export type RemovedForEver = 'reports' | 'events' | 'nodes';

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
