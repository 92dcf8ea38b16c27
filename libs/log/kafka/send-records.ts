import { inBatches } from '../batches';
import { storePayload } from '../payload-storage';
import type { LogRecord } from '../record';
import type { KafkaSender } from './kafka-sender';
import { messageOf, sizeOf, type OriginalOffsets } from './record-message';

export interface SentRecord {
  readonly record: LogRecord;
  readonly original?: OriginalOffsets;
}

const batchRecords = 500;
const batchBytes = 8 << 20;

/**
 * The topic must have no other writer. A repeated message would shift the records after it, or arrive after the end
 * message of a base. The timestamp is the time when the record was received, because snapshots search records by time.
 */
export async function sendRecords(
  { sender, topic, maxMessageBytes }: { readonly sender: KafkaSender; topic: string; maxMessageBytes: number },
  records: AsyncIterable<SentRecord>,
  onStored: (record: LogRecord, offset: number) => void,
): Promise<void> {
  const limits = { records: batchRecords, bytes: Math.min(batchBytes, maxMessageBytes / 2) };
  for await (const batch of inBatches(records, limits, ({ record }) => sizeOf(record))) {
    const messages = await Promise.all(
      batch.map(async ({ record, original }) => {
        const stored = await storePayload(record.payload, record.encoding);
        const message = messageOf(record, record.partition, stored, original);
        return { ...message, timestamp: String(Math.min(record.receivedAt, Date.now())) };
      }),
    );
    const offsets = await sender.sendOnce(topic, messages);
    for (const [index, { record }] of batch.entries()) onStored(record, offsets[index] as number);
  }
}
