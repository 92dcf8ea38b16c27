/** Reads topics with the Kafka client only, without code of the log. */
import { gunzipSync } from 'node:zlib';
import { Kafka, logLevel } from 'kafkajs';

export interface RawMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Inflates the bytes as often as they were compressed. */
  readonly value: Buffer;
}

const readMs = 60_000;

/** Returns all messages, from the first one, of the topics with this prefix. */
export async function rawMessages(brokers: string[], prefix: string): Promise<RawMessage[]> {
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  const wanted = new Map<string, number>();
  await admin.connect();
  try {
    for (const topic of (await admin.listTopics()).filter((name) => name.startsWith(prefix))) {
      for (const { partition, high, low } of await admin.fetchTopicOffsets(topic)) {
        if (Number(high) > Number(low)) wanted.set(`${topic}/${partition}`, Number(high));
      }
    }
  } finally {
    await admin.disconnect();
  }
  const topics = [...new Set([...wanted.keys()].map((place) => place.slice(0, place.lastIndexOf('/'))))];
  const messages: RawMessage[] = [];
  if (topics.length === 0) return messages;
  const consumer = kafka.consumer({ groupId: `raw-${Date.now()}-${process.pid}` });
  await consumer.connect();
  try {
    await consumer.subscribe({ topics, fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`not read to the end within ${readMs / 1000} s: ${[...wanted.keys()].join(', ')}`)),
        readMs,
      );
      consumer
        .run({
          autoCommit: false,
          eachBatch: async ({ batch }) => {
            const { topic, partition, messages: came } = batch;
            for (const { offset, headers = {}, value } of came) {
              const named = Object.entries(headers).map(([name, one]) => [name, String(one)]);
              messages.push({
                ...{ topic, partition, offset: Number(offset), headers: Object.fromEntries(named) },
                value: inflated(value ?? Buffer.alloc(0)),
              });
            }
            const place = `${topic}/${partition}`;
            if (Number(batch.lastOffset()) + 1 >= (wanted.get(place) ?? 0)) wanted.delete(place);
            if (wanted.size > 0) return;
            clearTimeout(late);
            resolve();
          },
        })
        .catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
  return messages;
}

function inflated(bytes: Buffer): Buffer {
  return bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b ? inflated(gunzipSync(bytes)) : bytes;
}
