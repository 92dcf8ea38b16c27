import type { Sql } from '#database';
import type { TimelineEntry, TimelineKey } from './timeline-entry';

/** Reads the text column `row` of the first row of a statement: a Snapshot of #query, or `rowSource` of a session. */
export interface RowSource {
  one(statement: Sql): Promise<string | undefined>;
}

/**
 * Returns the entries of rows of the table `timeline`, with what changed, in the order of the keys. Leaves out rows that have been
 * deleted. `schema`: the generation's, which must be a trusted name.
 */
export function entriesOf(
  _source: RowSource,
  _schema: string,
  _keys: readonly TimelineKey[],
): Promise<readonly TimelineEntry[]> {
  return Promise.resolve([]);
}
