import { Fault, isFault } from '#fault';
import type { CommandLog } from '#log';

/** Reading a snapshot on Kafka from its beginning can take minutes. */
const patienceMs = 600_000;

/**
 * Throws `server.below-tail` if a position before the log's tail is not the offset of a record in the snapshot. A
 * projector that starts at such a position would skip records.
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
      const records = await reader.next({ maxRecords: open.size, maxBytes: 1 << 20 }, late);
      if (records.length === 0) throw new Fault('busy', 'server.log-silent', 'the log returns no records');
      for (const { partition, offset } of records) {
        const wanted = open.get(partition);
        if (wanted !== undefined && offset !== wanted) throw unknownRecord(schema, partition, wanted);
        open.delete(partition);
      }
    }
  } catch (error) {
    if (!isFault(error) || !['log.gap', 'log.before-base'].includes(error.code)) throw error;
    const [[partition, offset] = [0, 0]] = open;
    throw unknownRecord(schema, partition, offset, error);
  } finally {
    await reader.close();
  }
}

function unknownRecord(schema: string, partition: number, offset: number, cause?: unknown): Fault {
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
