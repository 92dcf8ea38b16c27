import type { Database } from './database';

/**
 * Returns a map from each partition to the offset of its first record that the live generation has not applied. The map
 * is empty if no generation is live.
 */
export async function appliedPositions(db: Database): Promise<Map<number, number>> {
  const rows = await db.query<{ log_partition: number; next_offset: number }>({
    name: 'applied_positions',
    text: `SELECT p.log_partition, p.next_offset
             FROM nodeledger.positions p JOIN nodeledger.generations g USING (generation)
            WHERE g.state = 'live'`,
    values: [],
  });
  return new Map(rows.map((row) => [row.log_partition, row.next_offset]));
}

export interface Rejection {
  readonly error: string;
  readonly exception: string;
}

/**
 * Returns the first of the records that was rejected. If there is none, this does not mean that the records are already
 * applied.
 */
export async function firstRejection(
  db: Database,
  positions: readonly { readonly partition: number; readonly offset: number }[],
): Promise<Rejection | undefined> {
  const [row] = await db.query<Rejection>({
    name: 'first_rejection',
    text: `SELECT d.error, d.exception
             FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS p (log_partition, log_offset, ordinal)
             JOIN nodeledger.dead_letters d USING (log_partition, log_offset)
            ORDER BY p.ordinal LIMIT 1`,
    values: [positions.map(({ partition }) => partition), positions.map(({ offset }) => offset)],
  });
  return row;
}
