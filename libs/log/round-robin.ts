import type { ReadLimits } from './command-log';
import { offsetAfter, type LogRecord } from './record';

/** Offset 0 is the header record. */
export const firstRecords = (start: ReadonlyMap<number, number>): Map<number, number> =>
  new Map([...start].map(([partition, offset]) => [partition, Math.max(1, offset)]));

/**
 * Takes one record of each partition in turn until a limit is reached or no record is left. Advances `next`. Returns
 * the records sorted by partition and offset.
 */
export function takeRoundRobin(
  next: Map<number, number>,
  limits: ReadLimits,
  recordAt: (partition: number, offset: number) => LogRecord | undefined,
): LogRecord[] {
  const taken = new Map<number, LogRecord[]>();
  let records = 0;
  let bytes = 0;
  let open = [...next.keys()];
  while (open.length > 0) {
    const giving: number[] = [];
    for (const partition of open) {
      if (records >= limits.maxRecords) break;
      const record = recordAt(partition, next.get(partition) as number);
      if (record === undefined) continue;
      if (records > 0 && bytes + record.payload.length > limits.maxBytes) continue;
      const theirs = taken.get(partition);
      if (theirs === undefined) taken.set(partition, [record]);
      else theirs.push(record);
      next.set(partition, offsetAfter(record));
      records += 1;
      bytes += record.payload.length;
      giving.push(partition);
    }
    open = giving;
  }
  // Moves the first partition to the end of the order, so that each partition is sometimes first, even if all batches
  // are full.
  const [first] = next;
  if (first !== undefined) {
    next.delete(first[0]);
    next.set(first[0], first[1]);
  }
  return [...taken.keys()].sort((a, b) => a - b).flatMap((partition) => taken.get(partition) as LogRecord[]);
}
