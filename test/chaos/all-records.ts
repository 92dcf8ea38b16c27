import { gunzipSync } from 'node:zlib';
import { offsetAfter, type CommandLog, type LogRecord } from '#log';

const readMs = 60_000;

/** Yields every record of base and tail up to the current end, in the order of each partition. */
export async function* eachRecord(log: CommandLog): AsyncGenerator<LogRecord> {
  const { starts, ends } = await log.extent();
  const open = new Map([...starts].filter(([partition, start]) => start < (ends.get(partition) ?? 0)));
  if (open.size === 0) return;
  const reader = log.reader(open);
  const signal = AbortSignal.timeout(readMs);
  try {
    while (open.size > 0) {
      const came = await reader.next({ maxRecords: 500, maxBytes: 8 << 20 }, signal);
      if (came.length === 0) throw new Error(`the log was not read to its end within ${readMs / 1000} s`);
      for (const record of came) {
        if (record.offset < (ends.get(record.partition) as number)) yield record;
        if (offsetAfter(record) >= (ends.get(record.partition) as number)) open.delete(record.partition);
      }
    }
  } finally {
    await reader.close();
  }
}

/** Returns what `eachRecord` yields. */
export async function allRecords(log: CommandLog): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of eachRecord(log)) records.push(record);
  return records;
}

export const payloadText = ({ encoding, payload }: LogRecord): string =>
  (encoding === 'gzip' ? gunzipSync(payload) : payload).toString();
