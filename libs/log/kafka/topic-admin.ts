import { setTimeout as delay } from 'node:timers/promises';
import { ConfigResourceTypes, type Admin, type Kafka } from 'kafkajs';
import { Fault } from '#fault';
import type { KafkaCluster } from './kafka-cluster';
import { brokerErrorType, isFinal, kafkaFault } from './kafka-faults';
import { within } from './within';

/** `low` is inclusive, `high` is exclusive. */
export interface OffsetRange {
  readonly low: number;
  readonly high: number;
}

interface TopicShape {
  readonly partitions: number;
  readonly replicas: number;
}

const pauseMs = 200;

const byPartition = (a: { partition: number }, b: { partition: number }): number => a.partition - b.partition;

/**
 * Retries each request until a time limit. After a failure, uses a new client: a client keeps requesting the metadata
 * of topics that it has used earlier, even if they were deleted.
 */
export class TopicAdmin {
  private admin: Promise<Admin> | undefined;
  private readonly leaving = new Set<Promise<void>>();

  constructor(
    private readonly kafka: Kafka,
    private readonly cluster: KafkaCluster,
    private readonly patienceMs: number,
  ) {}

  /** Does not use the method of kafkajs, which fails while any partition of any topic has no leader. */
  list(): Promise<string[]> {
    return this.ask('listing the topics', () => this.cluster.topics());
  }

  /** Returns false if the topic exists. If several processes create the topic at once, at most one gets true. */
  async create(
    topic: string,
    partitions: number,
    replication: number | undefined,
    config: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    let attempts = 0;
    return this.ask(`making topic ${topic}`, async (admin) => {
      attempts += 1;
      const made = await admin.createTopics({
        timeout: 5_000,
        // `shape` waits for the leaders instead, because kafkajs would report a slow leader election as a failure.
        waitForLeaders: false,
        topics: [
          {
            topic,
            numPartitions: partitions,
            replicationFactor: replication ?? -1,
            configEntries: [...config].map(([name, value]) => ({ name, value })),
          },
        ],
      });
      // An earlier attempt whose response was lost may have created the topic.
      return made && attempts === 1;
    });
  }

  shape(topic: string): Promise<TopicShape> {
    return this.ask(`looking at topic ${topic}`, async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
      const partitions = topics.find(({ name }) => name === topic)?.partitions ?? [];
      if (partitions.length === 0 || partitions.some(({ leader }) => leader < 0)) {
        throw new Fault('busy', 'log.unavailable', `topic ${topic} has partitions without a leader`);
      }
      return {
        partitions: partitions.length,
        replicas: Math.min(...partitions.map(({ replicas }) => replicas.length)),
      };
    });
  }

  config(topic: string): Promise<ReadonlyMap<string, string>> {
    return this.ask(`reading the settings of topic ${topic}`, async (admin) => {
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
      });
      return new Map(
        (resources[0]?.configEntries ?? []).map(({ configName, configValue }) => [configName, configValue]),
      );
    });
  }

  offsets(topic: string): Promise<ReadonlyMap<number, OffsetRange>> {
    return this.ask(`asking for the offsets of topic ${topic}`, async (admin) => {
      const rows = await admin.fetchTopicOffsets(topic);
      return new Map(
        rows.sort(byPartition).map(({ partition, low, high }) => [partition, { low: Number(low), high: Number(high) }]),
      );
    });
  }

  offsetsAt(topic: string, time: number): Promise<ReadonlyMap<number, number>> {
    return this.ask(`asking for offsets of topic ${topic} by time`, async (admin) => {
      const rows = await admin.fetchTopicOffsetsByTimestamp(topic, time);
      return new Map(rows.sort(byPartition).map(({ partition, offset }) => [partition, Number(offset)]));
    });
  }

  deleteRecords(topic: string, below: ReadonlyMap<number, number>): Promise<void> {
    return this.ask(`deleting records of topic ${topic}`, async (admin) => {
      // kafkajs can find the leaders of a topic only after an earlier request about this topic.
      await admin.fetchTopicOffsets(topic);
      const partitions = [...below].map(([partition, offset]) => ({ partition, offset: String(offset) }));
      await admin.deleteTopicRecords({ topic, partitions });
    });
  }

  /** Ignores topics that do not exist. */
  async deleteTopics(topics: readonly string[]): Promise<void> {
    for (const topic of topics) {
      await this.ask(`deleting topic ${topic}`, async (admin) => {
        try {
          await admin.deleteTopics({ topics: [topic], timeout: 5_000 });
        } catch (error) {
          if (brokerErrorType(error) !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
        }
      });
    }
  }

  async close(): Promise<void> {
    this.leave();
    await Promise.all(this.leaving);
  }

  private async ask<T>(doing: string, question: (admin: Admin) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.patienceMs;
    const late = (): Error => new Error(`no answer within ${this.patienceMs / 1000} s`);
    for (;;) {
      try {
        const answer = this.connected().then(question);
        return await within(answer, deadline - performance.now(), late);
      } catch (error) {
        this.leave();
        if (isFinal(error) || performance.now() + pauseMs >= deadline) throw kafkaFault(error, doing);
      }
      await delay(pauseMs);
    }
  }

  private connected(): Promise<Admin> {
    this.admin ??= (async () => {
      const admin = this.kafka.admin();
      await admin.connect();
      return admin;
    })();
    return this.admin;
  }

  private leave(): void {
    const { admin } = this;
    if (admin === undefined) return;
    this.admin = undefined;
    const leaving = admin
      .then((one) => within(one.disconnect(), 5_000, () => new Error('late')))
      .catch(() => undefined)
      .finally(() => this.leaving.delete(leaving));
    this.leaving.add(leaving);
  }
}
