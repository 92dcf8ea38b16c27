import { setTimeout as delay } from 'node:timers/promises';
import { ConfigResourceTypes, type Admin, type Kafka } from 'kafkajs';
import { Fault } from '#fault';
import { brokerErrorType, isFinal, kafkaFault } from './kafka-faults';
import { within } from './within';

/** The offsets that a partition holds: from `low`, below `high`. */
export interface OffsetRange {
  readonly low: number;
  readonly high: number;
}

interface TopicShape {
  readonly partitions: number;
  /** Of the partition that has the fewest. */
  readonly replicas: number;
}

const pauseMs = 200;

/** The brokers' answers come in any order. */
const byPartition = (a: { partition: number }, b: { partition: number }): number => a.partition - b.partition;

/**
 * Requests to the cluster about topics. Each is repeated for a bounded time; after a failure with a new
 * client, because the old one goes on asking after every topic that it was ever asked about, also where it is gone.
 */
export class TopicAdmin {
  private admin: Promise<Admin> | undefined;
  private readonly leaving = new Set<Promise<void>>();

  constructor(
    private readonly kafka: Kafka,
    private readonly patienceMs: number,
  ) {}

  list(): Promise<string[]> {
    return this.ask('listing the topics', (admin) => admin.listTopics());
  }

  /** False where the topic exists already: of several who try at once, one is told true. */
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
        // The code below waits for the leaders: here a late one would look like a failure.
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
      // An earlier attempt may have created it although its answer was lost. If that is unknown, it counts as not created.
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
      // The client finds the leaders only of topics that it was asked about before.
      await admin.fetchTopicOffsets(topic);
      const partitions = [...below].map(([partition, offset]) => ({ partition, offset: String(offset) }));
      await admin.deleteTopicRecords({ topic, partitions });
    });
  }

  /** Those that are gone already do not matter. */
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

  /** Best effort: the broker itself forgets a group that is empty and holds no offsets. */
  async deleteGroup(group: string): Promise<void> {
    const admin = await this.connected();
    await admin.deleteGroups([group]);
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
        const asking = this.connected().then(question);
        return await within(asking, deadline - performance.now(), late);
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
