import { offsetAfter, type LogReader, type LogRecord, type ReaderOptions } from '#log';
import { stopIfAborted } from './replay';
import type { ReplayContext } from './replay-context';

/**
 * A reader also returns records at and after the offset in `ends`. After this number of such records, `recordsUntil`
 * opens a new reader without the partitions that are finished.
 */
const wastedRecords = 1_000;

/**
 * Yields all records before the offsets in `ends`, in batches. The records of each partition are in the order of the
 * log. Default of `from`: the start of the log.
 */
export async function* recordsUntil(
  { log, signal }: Pick<ReplayContext, 'log' | 'signal'>,
  ends: ReadonlyMap<number, number>,
  from?: ReadonlyMap<number, number>,
  options?: ReaderOptions,
): AsyncGenerator<LogRecord[]> {
  const endOf = (partition: number): number => ends.get(partition) ?? 0;
  const starts = from ?? (await log.extent()).starts;
  const open = new Map([...starts].filter(([partition, offset]) => offset < endOf(partition)));
  while (open.size > 0) {
    const reader: LogReader = log.reader(open, options);
    try {
      for (let wasted = 0; open.size > 0 && wasted < wastedRecords;) {
        const read = await reader.next({ maxRecords: 500, maxBytes: 8 << 20 }, signal);
        stopIfAborted(signal);
        const records = read.filter(({ partition, offset }) => offset < endOf(partition));
        for (const record of records) {
          if (offsetAfter(record) < endOf(record.partition)) open.set(record.partition, offsetAfter(record));
          else open.delete(record.partition);
        }
        wasted += read.length - records.length;
        if (records.length > 0) yield records;
      }
    } finally {
      await reader.close();
    }
  }
}
