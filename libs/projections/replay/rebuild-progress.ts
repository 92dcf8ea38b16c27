import type { Database } from '#database';
import type { CommandLog } from '#log';

export interface RebuildProgress {
  readonly generation: number;
  readonly done: number;
  readonly total: number;
}

export async function rebuildProgress(
  db: Database,
  log: Pick<CommandLog, 'extent'>,
): Promise<RebuildProgress | undefined> {
  const rows = await db.query<{ generation: number; log_partition: number; next_offset: number }>({
    text: `SELECT generation, log_partition, next_offset FROM nodeledger.positions
            WHERE generation = (SELECT max(generation) FROM nodeledger.generations WHERE state = 'building')`,
    values: [],
  });
  const [first] = rows;
  if (first === undefined) return undefined;
  const { starts, ends } = await log.extent();
  let [done, total] = [0, 0];
  for (const { log_partition: partition, next_offset: position } of rows) {
    const start = starts.get(partition) ?? 1;
    done += Math.max(0, position - start);
    total += Math.max(0, (ends.get(partition) ?? position) - start);
  }
  return { generation: first.generation, done, total };
}
