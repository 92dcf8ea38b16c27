import { randomUUID } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import { Fault } from '#fault';
import { kafkaFault } from './kafka-faults';
import type { ReadMessage } from './record-message';
import { within } from './within';

/** Topic, partition, offsets. */
export type MessagesToRead = ReadonlyMap<string, ReadonlyMap<number, readonly number[]>>;
export type MessagesRead = ReadonlyMap<string, ReadonlyMap<number, ReadonlyMap<number, ReadMessage>>>;

const patienceMs = 20_000;
const attempts = 3;

/**
 * Reads single messages: headers, ends. All of them must exist. The client library reads in groups only, so this joins
 * one of its own; `leaving` gets the promise of its going, which nobody has to wait for.
 */
export async function probe(
  kafka: Kafka,
  wanted: MessagesToRead,
  leaving: (group: string, gone: Promise<void>) => void,
): Promise<MessagesRead> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await probeOnce(kafka, wanted, leaving);
    } catch (error) {
      if (attempt === attempts) throw kafkaFault(error, 'reading the headers of the log');
    }
  }
}

async function probeOnce(
  kafka: Kafka,
  wanted: MessagesToRead,
  leaving: (group: string, gone: Promise<void>) => void,
): Promise<MessagesRead> {
  const found = new Map([...wanted.keys()].map((topic) => [topic, new Map<number, Map<number, ReadMessage>>()]));
  const open = new Map<string, { topic: string; partition: number; offsets: number[] }>();
  for (const [topic, partitions] of wanted) {
    for (const [partition, offsets] of partitions) {
      found.get(topic)?.set(partition, new Map());
      const sorted = [...new Set(offsets)].sort((a, b) => a - b);
      if (sorted.length > 0) open.set(`${topic}/${partition}`, { topic, partition, offsets: sorted });
    }
  }
  if (open.size === 0) return found;

  const [topic = ''] = wanted.keys();
  const group = `${topic}.look-${randomUUID()}`;
  const consumer = kafka.consumer({
    groupId: group,
    allowAutoTopicCreation: false,
    readUncommitted: true,
    maxWaitTimeInMs: 200,
    maxBytesPerPartition: 64 << 10,
    sessionTimeout: 10_000,
    retry: { retries: 2, restartOnFailure: () => Promise.resolve(false) },
  });
  let running: Promise<void> = Promise.resolve();
  const finished = new Promise<void>((resolve, reject) => {
    consumer.on('consumer.crash', ({ payload }) => reject(payload.error));
    consumer.on('consumer.group_join', ({ payload }) => {
      for (const [topic, partitions] of Object.entries(payload.memberAssignment)) {
        const rest = partitions.filter((partition) => {
          const next = open.get(`${topic}/${partition}`)?.offsets[0];
          if (next !== undefined) consumer.seek({ topic, partition, offset: String(next) });
          return next === undefined;
        });
        if (rest.length > 0) consumer.pause([{ topic, partitions: rest }]);
      }
    });
    running = (async () => {
      await consumer.connect();
      await consumer.subscribe({ topics: [...wanted.keys()], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: ({ batch: { topic, partition, messages } }) => {
          const key = `${topic}/${partition}`;
          const left = open.get(key);
          for (const message of messages) {
            if (left === undefined || Number(message.offset) !== left.offsets[0]) continue;
            found
              .get(topic)
              ?.get(partition)
              ?.set(left.offsets.shift() as number, message);
          }
          if (left !== undefined && left.offsets.length > 0) {
            consumer.seek({ topic, partition, offset: String(left.offsets[0]) });
          } else {
            open.delete(key);
            consumer.pause([{ topic, partitions: [partition] }]);
          }
          if (open.size === 0) resolve();
          return Promise.resolve();
        },
      });
    })();
    running.catch(reject);
  });
  try {
    await within(
      finished,
      patienceMs,
      () => new Fault('busy', 'log.unavailable', `no messages arrived within ${patienceMs / 1000} s`),
    );
    return found;
  } finally {
    // A consumer that is told to go while it joins would stay in the group.
    const gone = running.catch(() => undefined).then(() => consumer.disconnect());
    leaving(group, gone);
  }
}
