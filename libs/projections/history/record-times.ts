import { arrayLiteral, type Session } from '#database';
import { offsetAfter, type LogRecord } from '#log';
import { isInPast, type PastStarts } from './kept-past';

/**
 * Stores the times of the positions in a batch. The time of a position is the latest of the times at which the records
 * before this position were received. The last of these records need not have the latest time, because the clocks of
 * servers differ.
 */
export async function recordTimes(
  session: Session,
  schema: string,
  records: readonly LogRecord[],
  starts: PastStarts,
): Promise<void> {
  const latest = new Map<number, number>();
  const times: { partition: number; at: number; next: number }[] = [];
  for (const record of records) {
    const { partition, receivedAt } = record;
    if (!isInPast(starts, record)) continue;
    const at = Math.max(receivedAt, latest.get(partition) ?? -Infinity);
    latest.set(partition, at);
    times.push({ partition, at, next: offsetAfter(record) });
  }
  if (times.length === 0) return;
  await session.query({
    name: `record-times-${schema}`,
    text: `WITH known AS MATERIALIZED (
             SELECT p.log_partition, (SELECT max(h.at) FROM ${schema}.history_times h WHERE h.log_partition = p.log_partition) AS at
             FROM unnest($4::int[]) AS p(log_partition))
           INSERT INTO ${schema}.history_times AS h (log_partition, at, next_offset)
           SELECT t.log_partition, greatest(t.at, known.at), max(t.next_offset)
           FROM unnest($1::int[], $2::timestamptz[], $3::bigint[]) AS t(log_partition, at, next_offset) JOIN known USING (log_partition)
           GROUP BY 1, 2 ON CONFLICT (log_partition, at) DO UPDATE SET next_offset = excluded.next_offset`,
    values: [
      arrayLiteral(times.map(({ partition }) => partition)),
      arrayLiteral(times.map(({ at }) => new Date(at).toISOString())),
      arrayLiteral(times.map(({ next }) => next)),
      arrayLiteral([...latest.keys()]),
    ],
  });
}
