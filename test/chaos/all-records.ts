import { gunzipSync } from 'node:zlib';
import { offsetAfter, type CommandLog, type LogRecord } from '#log';

const readMs = 60_000;

/** Returns every record of base and tail up to the current end, in the order of each partition. */
export async function allRecords(log: CommandLog): Promise<LogRecord[]> {
  const { starts, ends } = await log.extent();
  const open = new Map([...starts].filter(([partition, start]) => start < (ends.get(partition) ?? 0)));
  const records: LogRecord[] = [];
  if (open.size === 0) return records;
  const reader = log.reader(open);
  const signal = AbortSignal.timeout(readMs);
  try {
    while (open.size > 0) {
      const came = await reader.next({ maxRecords: 500, maxBytes: 8 << 20 }, signal);
      if (came.length === 0) throw new Error(`the log was not read to its end within ${readMs / 1000} s`);
      for (const record of came) {
        if (record.offset < (ends.get(record.partition) as number)) records.push(record);
        if (offsetAfter(record) >= (ends.get(record.partition) as number)) open.delete(record.partition);
      }
    }
  } finally {
    await reader.close();
  }
  return records;
}

export const payloadText = ({ encoding, payload }: LogRecord): string =>
  (encoding === 'gzip' ? gunzipSync(payload) : payload).toString();
