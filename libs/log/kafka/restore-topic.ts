/**
 * Writes each record of the tail at its original offset. Fills the offsets before the tail with empty messages, which
 * the first truncation deletes. No message is sent twice, because a repeated message would shift the records after it.
 */
import { Fault } from '#fault';
import type { LogContent } from '../log-content';
import type { LogRecord, Position } from '../record';
import type { BaseContext, KafkaBases } from './kafka-bases';
import type { KafkaSender } from './kafka-sender';
import { format, headerMessage } from './marks';
import { sendRecords, type SentRecord } from './send-records';
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

/**
 * Throws `log.not-empty` if a topic of the log exists, and `log.not-restored` if a record does not get its original
 * offset. After a failure, the topic must be deleted before another attempt.
 */
export async function restoreTopic(
  context: RestoreContext,
  content: LogContent,
  options: RestoreOptions,
): Promise<void> {
  const { admin, topic, bases, sender } = context;
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
  const requireAt = ({ partition, offset }: Position, found: number | undefined): void => {
    if (found === offset) return;
    throw new Fault(
      'broken',
      'log.not-restored',
      `topic ${topic} has put a record at offset ${found} of partition ${partition}; it belongs at ${offset}`,
      { hint: 'Something else writes into the topic. Stop that, delete the topic, and restore again.' },
    );
  };
  const header = { logId: identity.logId, format, partitions: identity.partitions };
  for (const [partition, tail] of tails) {
    for (let from = 0; from < tail; from += fillersAtOnce) {
      const messages = Array.from({ length: Math.min(fillersAtOnce, tail - from) }, (_, index) =>
        from + index === 0 ? headerMessage(partition, header) : { partition, key: null, value: null },
      );
      const offsets = await sender.sendOnce(topic, messages);
      for (const index of messages.keys()) requireAt({ partition, offset: from + index }, offsets[index]);
    }
  }
  const target = { sender, topic, maxMessageBytes: options.makeMessageBytes };
  await sendRecords(target, sent(content.tail()), requireAt);
}

async function* sent(records: AsyncIterable<LogRecord>): AsyncGenerator<SentRecord> {
  for await (const record of records) yield { record };
}
