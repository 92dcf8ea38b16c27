import { positionsOf, type Database, type Generation, type Generations } from '#database';
import { Fault } from '#fault';
import type { CommandLog, LogIdentity } from '#log';
import { projectionVersion, readTables } from '#projections';

const unknownData =
  'Point DATABASE_URL (or NODELEDGER_DATA_DIR) at the database that belongs together, or at an empty one; nothing has been changed.';

/**
 * The generation that queries read; the first start makes it. Faults: `server.projection-version`, `server.foreign-log`,
 * `server.past-end`: the read tables and the log do not belong together, and going on would lose records in silence.
 */
export async function liveGeneration(
  db: Database,
  generations: Generations,
  log: CommandLog,
  identity: LogIdentity,
): Promise<Generation> {
  const generation =
    (await generations.live(true)) ?? (await generations.create({ ddl: readTables, projectionVersion, log: identity }));
  if (generation.projectionVersion !== projectionVersion) {
    throw new Fault(
      'conflict',
      'server.projection-version',
      `the read tables (${generation.schema}) have form ${generation.projectionVersion}, this program reads and writes form ${projectionVersion}`,
      { hint: 'Start the program that made them, or use an empty database; nothing has been changed.' },
    );
  }
  const ends = await log.ends();
  for (const [partition, { logId, nextOffset }] of await positionsOf(db, generation.generation)) {
    if (logId !== identity.logId) {
      throw new Fault(
        'conflict',
        'server.foreign-log',
        `the read tables (${generation.schema}) were made from log ${logId}, but the log here is ${identity.logId}`,
        { hint: unknownData },
      );
    }
    const end = ends.get(partition) ?? 0;
    if (nextOffset > end) {
      throw new Fault(
        'conflict',
        'server.past-end',
        `the read tables (${generation.schema}) hold records of partition ${partition} up to offset ${nextOffset - 1}, but the log ends at ${end - 1}: the log was restored from an older state, or is another one`,
        { hint: unknownData },
      );
    }
  }
  return generation;
}
