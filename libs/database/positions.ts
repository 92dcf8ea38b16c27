import { Fault } from '#fault';
import { arrayLiteral } from './sql-text';
import type { Database } from './database';
import type { Session } from './session';

export interface StoredPosition {
  readonly logId: string;
  /** Offset of the first record that the generation has not applied. */
  readonly nextOffset: number;
}

export async function positionsOf(
  db: Database | Session,
  generation: number,
  locked = false,
): Promise<Map<number, StoredPosition>> {
  const lock = locked ? 'FOR UPDATE' : '';
  const rows = await db.query<{ log_partition: number; log_id: string; next_offset: number }>({
    name: `positions-of ${lock}`,
    text: `SELECT log_partition, log_id::text AS log_id, next_offset FROM nodeledger.positions
           WHERE generation = $1 ORDER BY log_partition ${lock}`,
    values: [generation],
  });
  return new Map(rows.map((row) => [row.log_partition, { logId: row.log_id, nextOffset: row.next_offset }]));
}

interface PositionMove {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Moves the positions, and returns the epoch of shared rows. Throws `database.fenced` if another projector has moved a
 * position, `database.retired` if the generation must not be filled any more, and `database.shared-rows-collected` if
 * the epoch differs from `sharedEpoch`. After each of these errors, the caller must roll back.
 */
export async function advancePositions(
  session: Session,
  generation: number,
  moves: readonly PositionMove[],
  sharedEpoch?: string,
): Promise<string | undefined> {
  if (moves.length === 0) return undefined;
  const moved = await session.query<{ epoch: string }>({
    name: 'advance-positions',
    text: `WITH move AS (
             SELECT * FROM unnest($2::int[], $3::bigint[], $4::bigint[]) AS m(log_partition, from_offset, to_offset)
           ), locked AS (
             SELECT p.log_partition FROM nodeledger.positions p JOIN move m USING (log_partition)
             WHERE p.generation = $1 ORDER BY p.log_partition FOR UPDATE OF p
           )
           UPDATE nodeledger.positions p SET next_offset = m.to_offset
           FROM move m JOIN locked USING (log_partition), nodeledger.generations g
           WHERE g.generation = $1 AND g.state NOT IN ('retired', 'point', 'dropped') AND p.generation = $1 AND p.log_partition = m.log_partition AND p.next_offset = m.from_offset
             AND ($5::uuid IS NULL OR g.shared_epoch = $5)
           RETURNING g.shared_epoch::text AS epoch`,
    values: [
      generation,
      arrayLiteral(moves.map((move) => move.partition)),
      arrayLiteral(moves.map((move) => move.from)),
      arrayLiteral(moves.map((move) => move.to)),
      sharedEpoch ?? null,
    ],
  });
  if (moved.length === moves.length) return moved[0]?.epoch;
  const [known] = await session.query<{ state: string; epoch: string }>({
    text: 'SELECT state, shared_epoch::text AS epoch FROM nodeledger.generations WHERE generation = $1',
    values: [generation],
  });
  if (known === undefined || ['retired', 'point', 'dropped'].includes(known.state)) {
    throw new Fault('conflict', 'database.retired', `generation ${generation} of the read tables is no longer filled`);
  }
  if (sharedEpoch !== undefined && known.epoch !== sharedEpoch) {
    throw new Fault(
      'conflict',
      'database.shared-rows-collected',
      'shared rows that this batch relies on may be deleted',
    );
  }
  throw new Fault('conflict', 'database.fenced', 'another projector has moved the positions of this generation', {
    details: { generation, moves },
  });
}
