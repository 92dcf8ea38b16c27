import { Fault } from '#fault';
import { inBatches } from '../batches';
import { inflatedTo, storePayload } from '../payload-storage';
import type { LogRecord, NewRecord } from '../record';

const batchLimits = { records: 1_000, bytes: 8 << 20 };

/** A record as its row stores it. */
export type StoredRecord<R extends NewRecord = NewRecord> = R & {
  /** Length of the original payload, if the row stores it compressed. */
  readonly plainBytes?: number;
};

export async function storedRecord<R extends NewRecord>(record: R): Promise<StoredRecord<R>> {
  const { value, deflated } = await storePayload(record.payload, record.encoding);
  return deflated ? { ...record, payload: value, plainBytes: record.payload.length } : record;
}

/** Cuts records into batches of which each is stored by one statement. */
export async function* storedBatches(records: AsyncIterable<LogRecord>): AsyncGenerator<StoredRecord<LogRecord>[]> {
  for await (const batch of inBatches(records, batchLimits, ({ payload }) => payload.length)) {
    yield await Promise.all(batch.map(storedRecord));
  }
}

/** Returns the record as it was appended. Fault `log.foreign` (broken) if its payload cannot be inflated. */
export async function restoredRecord(stored: StoredRecord<LogRecord>): Promise<LogRecord> {
  if (stored.plainBytes === undefined) return stored;
  const { plainBytes, ...record } = stored;
  try {
    return { ...record, payload: await inflatedTo(plainBytes, record.payload) };
  } catch (cause) {
    const { partition, offset } = record;
    throw new Fault('broken', 'log.foreign', `the payload at offset ${offset} of partition ${partition} is damaged`, {
      hint: 'The row was changed from outside, or the disk has lost a part of it. Restore the log from a backup.',
      details: { partition, offset },
      cause,
    });
  }
}
