import { arrayLiteral, type GenerationDefinition, type Session } from '#database';
import type { LogExtent } from '#log';
import { projectionVersion, readTables } from '../schema/read-tables';
import { writeVolatileNames } from '../timeline/volatile-facts';

interface Source {
  readonly logId: string;
  readonly extent: LogExtent;
  /** Offsets of the first records, if they differ from the offsets of the extent. */
  readonly starts?: ReadonlyMap<number, number> | undefined;
  readonly keepsPast: boolean;
  /** Names of facts whose changes the timeline omits. Default: none. */
  readonly volatileFacts?: readonly string[] | undefined;
}

export function newTables(
  { logId, extent, starts = extent.starts, keepsPast, volatileFacts = [] }: Source,
  purpose: GenerationDefinition['purpose'] = 'serve',
): GenerationDefinition {
  return {
    ddl: readTables,
    projectionVersion,
    log: { logId, starts },
    purpose,
    prepare: async (session, schema) => {
      await writeVolatileNames(session, schema, volatileFacts);
      if (keepsPast) await beginPast(session, schema, extent);
    },
  };
}

/**
 * After a snapshot, the past begins with the tail, because the log no longer has all records before the tail. The
 * removed records were received before the first record of the tail. So the past begins at the time when this first
 * record was received, or at the current time if the tail is empty.
 */
async function beginPast(session: Session, schema: string, { starts, tails, ends }: LogExtent): Promise<void> {
  const partitions = [...starts.keys()];
  const begins = partitions.map((partition) => Math.max(tails.get(partition) ?? 1, starts.get(partition) ?? 1));
  const now = new Date().toISOString();
  const times = partitions.map((partition, index) => {
    const begin = begins[index] as number;
    if ((tails.get(partition) ?? 1) <= 1) return '-infinity';
    return (ends.get(partition) ?? begin) > begin ? null : now;
  });
  const values = [arrayLiteral(partitions), arrayLiteral(begins), arrayLiteral(times)];
  await session.query({
    text: `WITH begins AS (SELECT * FROM unnest($1::int[], $2::bigint[], $3::timestamptz[]) AS b(log_partition, next_offset, at)),
             starts AS (INSERT INTO ${schema}.history_starts SELECT log_partition, next_offset FROM begins)
           INSERT INTO ${schema}.history_times SELECT log_partition, at, next_offset FROM begins WHERE at IS NOT NULL`,
    values,
  });
}
