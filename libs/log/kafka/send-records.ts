import { inBatches } from '../batches';
import { storePayload } from '../payload-storage';
import type { LogRecord } from '../record';
import type { KafkaSender } from './kafka-sender';
import { messageOf, sizeOf, type OriginalOffsets } from './record-message';

export interface SentRecord {
  readonly record: LogRecord;
  /** Original offsets that the message contains if it belongs to a base. Otherwise undefined. */
  readonly original?: OriginalOffsets;
}

const batchRecords = 500;
const batchBytes = 8 << 20;

/**
 * Sends records to a topic that has no other writer, and calls `onStored` with each record and its offset in the topic.
 * Sends no record twice. A repeated message would shift the records after it, or arrive after the end message of a
 * base. The timestamp of a message is the time when its record was received, because snapshots search records by time.
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
