import { type Database, statement } from '#database';

const mostCounted = 20_000;

/**
 * Counts at most 20,000 records by command and version (`store report 8`). Ignores the base: tables that have not
 * applied all its records never apply them, but must be rebuilt.
 */
export async function countWaitingCommands(
  db: Pick<Database, 'query'>,
  offsets: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ command: string; records: number }>(statement`
    SELECT command || ' ' || version AS command, count(*)::int AS records
    FROM (
      SELECT r.command, r.version
      FROM unnest(${[...offsets.keys()]}::int[], ${[...offsets.values()]}::bigint[]) AS p (log_partition, next_offset)
      JOIN nodeledger.log_records r ON r.log_partition = p.log_partition AND r.log_offset >= p.next_offset
      LIMIT ${mostCounted}
    ) waiting GROUP BY 1`);
  return new Map(rows.map(({ command, records }) => [command, records]));
}
