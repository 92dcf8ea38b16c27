/**
 * Each generation stores whether it keeps its past (`history_starts`). If this were a setting, processes with different
 * settings would make different tables.
 */
import type { Database, Generation } from '#database';
import type { Position } from '#log';

/** The first projection version whose tables can keep a past. */
export const firstWithPast = 8;

/** For each partition, the earliest position that queries can ask about. Empty if the generation keeps no past. */
export type PastStarts = ReadonlyMap<number, number>;

/** Returns whether the past contains the changes of the record. */
export const isInPast = (starts: PastStarts, { partition, offset }: Position): boolean =>
  offset >= (starts.get(partition) ?? Infinity);

export interface PastState {
  readonly starts: PastStarts;
  /**
   * The epoch of the shared rows. It changes when a generation starts or stops keeping its past, so that no batch
   * continues with an old state.
   */
  readonly epoch: string | undefined;
}

export async function readPastState(
  db: Pick<Database, 'query'>,
  { generation, schema }: Generation,
): Promise<PastState> {
  const rows = await db.query<{ epoch: string; partition: number | null; start: number }>({
    name: `past-state-${schema}`,
    text: `SELECT g.shared_epoch::text AS epoch, h.log_partition AS partition, h.next_offset AS start
           FROM nodeledger.generations g LEFT JOIN ${schema}.history_starts h ON true WHERE g.generation = $1`,
    values: [generation],
  });
  const starts = rows.flatMap(({ partition, start }): [number, number][] =>
    partition === null ? [] : [[partition, start]],
  );
  return { epoch: rows[0]?.epoch, starts: new Map(starts) };
}
