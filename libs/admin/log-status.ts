import { Generations, positionsOf, type Database } from '#database';
import type { CommandLog, LogIdentity } from '#log';
import { lastSnapshotAt } from '#projections';

export interface LogStatus {
  readonly log: string;
  /** Where the log is stored: `embedded`, or the topic on Kafka and its brokers. */
  readonly body: string;
  /** Number of records that the live read tables do not contain yet. */
  readonly lag: number;
  readonly lastSnapshot: string | null;
  readonly partitions: readonly PartitionStatus[];
  readonly generations: readonly GenerationStatus[];
}

interface PartitionStatus {
  readonly partition: number;
  /** Offset of the first record in the snapshot, or null if the partition has no record in a snapshot. */
  readonly base: number | null;
  readonly tail: number;
  /** Offset that the next record will get. */
  readonly end: number;
  /** Offset of the first record that the live read tables do not contain. */
  readonly applied: number;
  readonly lag: number;
}

interface GenerationStatus {
  readonly generation: number;
  readonly schema: string;
  readonly state: string;
  readonly projectionVersion: number;
  readonly createdAt: string;
  /**
   * Number of offsets from the tables' positions to the end of the log, or null if the tables were made from another
   * log.
   */
  readonly lag: number | null;
}

export async function readLogStatus(
  db: Database,
  log: CommandLog,
  { logId }: Pick<LogIdentity, 'logId'>,
  body: string,
): Promise<LogStatus> {
  const listed = await new Generations(db).list();
  const positions = new Map(
    await Promise.all(listed.map(async ({ generation }) => [generation, await positionsOf(db, generation)] as const)),
  );
  // Reads the ends after the positions, because a position could otherwise be after the end.
  const { starts, tails, ends } = await log.extent();
  const live = positions.get(listed.find(({ state }) => state === 'live')?.generation ?? 0);
  const partitions = [...ends].map(([partition, end]): PartitionStatus => {
    const tail = tails.get(partition) ?? 1;
    const start = starts.get(partition) ?? tail;
    const applied = live?.get(partition)?.nextOffset ?? start;
    return { partition, base: start < tail ? start : null, tail, end, applied, lag: Math.max(0, end - applied) };
  });
  const generations = listed.map((one): GenerationStatus => {
    const reached = [...(positions.get(one.generation) ?? [])];
    const known = reached.every(([, position]) => position.logId === logId);
    const lag = reached.reduce((sum, [partition, { nextOffset }]) => {
      return sum + Math.max(0, (ends.get(partition) ?? nextOffset) - nextOffset);
    }, 0);
    const { generation, schema, state, projectionVersion, createdAt } = one;
    return { generation, schema, state, projectionVersion, createdAt, lag: known ? lag : null };
  });
  const snapshotAt = await lastSnapshotAt(db);
  return {
    log: logId,
    body,
    lag: partitions.reduce((sum, { lag }) => sum + lag, 0),
    lastSnapshot: snapshotAt === undefined ? null : new Date(snapshotAt).toISOString(),
    partitions,
    generations,
  };
}
