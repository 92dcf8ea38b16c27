import type { Database } from './database';

/**
 * For each partition the offset of the first record that the live generation has not applied. Empty while no
 * generation is live.
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

/** Why a command was rejected. */
export interface Rejection {
  /** For people. */
  readonly error: string;
  /** The fault's code and its particulars. */
  readonly exception: string;
}

/** The dead letter at a place in the log, or undefined where the record there was applied (or is not yet). */
export async function rejectionAt(
  db: Database,
  position: { readonly partition: number; readonly offset: number },
): Promise<Rejection | undefined> {
  const [row] = await db.query<Rejection>({
    name: 'rejection_at',
    text: 'SELECT error, exception FROM nodeledger.dead_letters WHERE log_partition = $1 AND log_offset = $2',
    values: [position.partition, position.offset],
  });
  return row;
}
