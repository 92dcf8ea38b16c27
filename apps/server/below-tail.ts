import { Fault, isFault } from '#fault';
import type { CommandLog } from '#log';

/** Long, because a snapshot on Kafka is read from its beginning. */
const patienceMs = 600_000;

/**
 * Checks that positions before the log's tail are positions of its snapshot. Only from there can reading continue
 * without skipping records. Fault `server.below-tail` (conflict).
 */
export async function checkBelowTail(
  log: CommandLog,
  positions: ReadonlyMap<number, number>,
  schema: string,
): Promise<void> {
  const open = new Map(positions);
  const reader = log.reader(positions);
  const late = AbortSignal.timeout(patienceMs);
  try {
    while (open.size > 0) {
      // Each position has a next record, because a snapshot never ends after its tail.
      const records = await reader.next({ maxRecords: open.size, maxBytes: 1 << 20 }, late);
      if (records.length === 0) throw new Fault('busy', 'server.log-silent', 'the log returns no records');
      for (const { partition, offset } of records) {
        const wanted = open.get(partition);
        if (wanted !== undefined && offset !== wanted) throw unknownPlace(schema, partition, wanted);
        open.delete(partition);
      }
    }
  } catch (error) {
    if (!isFault(error) || !['log.gap', 'log.before-base'].includes(error.code)) throw error;
    const [[partition, offset] = [0, 0]] = open;
    throw unknownPlace(schema, partition, offset, error);
  } finally {
    await reader.close();
  }
}

function unknownPlace(schema: string, partition: number, offset: number, cause?: unknown): Fault {
  return new Fault(
    'conflict',
    'server.below-tail',
    `the read tables (${schema}) continue at offset ${offset} of partition ${partition}, which a snapshot has removed from the log: they are older than the log's history`,
    {
      hint: 'Rebuild them from what the log holds: nodeledger rebuild. Nothing has been changed.',
      ...(cause === undefined ? {} : { cause }),
    },
  );
}
