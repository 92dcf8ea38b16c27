/**
 * Writes the tail of a log into a new topic, each record at its original offset. Empty messages take the offsets below the
 * tail; the first truncation removes them. No message is sent twice, because that would shift the following records.
 */
import type { Message } from 'kafkajs';
import { Fault } from '#fault';
import { inBatches } from '../batches';
import type { LogContent } from '../log-content';
import { storePayload } from '../payload-storage';
import type { LogRecord } from '../record';
import type { BaseContext, KafkaBases } from './kafka-bases';
import type { KafkaSender } from './kafka-sender';
import { format, headerMessage } from './marks';
import { messageOf, sizeOf } from './record-message';
import { checkSettings, neededConfig } from './topic-settings';

export interface RestoreContext extends BaseContext {
  readonly sender: KafkaSender;
  readonly bases: KafkaBases;
}

export interface RestoreOptions {
  readonly replication?: number | undefined;
  readonly leastMessageBytes: number;
  readonly makeMessageBytes: number;
  readonly onNotice?: ((text: string) => void) | undefined;
}

const fillersAtOnce = 5_000;
const batchRecords = 500;
const batchBytes = 8 << 20;

/** Faults: `log.not-empty` (conflict), `log.not-restored` (broken). After a failure, the topic has to be deleted. */
export async function restoreTopic(
  context: RestoreContext,
  content: LogContent,
  options: RestoreOptions,
): Promise<void> {
  const { admin, topic, bases } = context;
  const { identity, tails } = content;
  const topics = await admin.list();
  const [earlier] = await bases.numbers(topics);
  if (topics.includes(topic) || earlier !== undefined) {
    const name = topics.includes(topic) ? topic : bases.topicOf(earlier as number);
    throw new Fault('conflict', 'log.not-empty', `topic ${name} exists already`, {
      hint: 'Name a topic that does not exist (NODELEDGER_LOG_TOPIC). If an earlier restore into this topic did not end, delete the topic and those whose names begin with it. Nothing has been changed.',
    });
  }
  await admin.create(topic, identity.partitions, options.replication, neededConfig(options.makeMessageBytes));
  await checkSettings(admin, topic, options.leastMessageBytes, options.onNotice);
  const writer = new PlacedWriter(context);
  const header = { logId: identity.logId, format, partitions: identity.partitions };
  await writer.send([...tails.keys()].map((partition) => ({ offset: 0, message: headerMessage(partition, header) })));
  for (const [partition, tail] of tails) await fill(writer, partition, tail);
  await writeTail(writer, content.tail(), Math.min(batchBytes, options.makeMessageBytes / 2));
}

interface Placed {
  readonly offset: number;
  readonly message: Message;
}

class PlacedWriter {
  constructor(private readonly context: RestoreContext) {}

  async send(placed: readonly Placed[]): Promise<void> {
    const { sender, topic } = this.context;
    const offsets = await sender.sendOnce(
      topic,
      placed.map(({ message }) => message),
    );
    for (const [index, { offset, message }] of placed.entries()) {
      if (offsets[index] === offset) continue;
      throw new Fault(
        'broken',
        'log.not-restored',
        `topic ${topic} has put a record at offset ${offsets[index]} of partition ${message.partition}; it belongs at ${offset}`,
        { hint: 'Something else writes into the topic. Stop that, delete the topic, and restore again.' },
      );
    }
  }
}

async function fill(writer: PlacedWriter, partition: number, tail: number): Promise<void> {
  for (let from = 1; from < tail; from += fillersAtOnce) {
    const length = Math.min(fillersAtOnce, tail - from);
    await writer.send(
      Array.from({ length }, (_, index) => ({ offset: from + index, message: { partition, key: null, value: null } })),
    );
  }
}

async function writeTail(writer: PlacedWriter, records: AsyncIterable<LogRecord>, limit: number): Promise<void> {
  const limits = { records: batchRecords, bytes: limit };
  for await (const batch of inBatches(records, limits, sizeOf))
    await writer.send(await Promise.all(batch.map(placedOf)));
}

/** The message has the time at which the record was received, because snapshots search records by time. */
async function placedOf(record: LogRecord): Promise<Placed> {
  const stored = await storePayload(record.payload, record.encoding);
  const message = messageOf(record, record.partition, stored);
  return { offset: record.offset, message: { ...message, timestamp: String(Math.min(record.receivedAt, Date.now())) } };
}
