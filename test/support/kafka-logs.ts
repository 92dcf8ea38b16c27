import { randomUUID } from 'node:crypto';
import { CompressionTypes, ConfigResourceTypes, Partitioners, type Admin, type Kafka, type Message } from 'kafkajs';
import { kafkaClient } from '../../libs/log/kafka/kafka-connection';
import { KafkaCluster } from '../../libs/log/kafka/kafka-cluster';
import type { ReadMessage } from '../../libs/log/kafka/record-message';
import { TopicAdmin } from '../../libs/log/kafka/topic-admin';
import { neededConfig } from '../../libs/log/kafka/topic-settings';
import { KafkaCommandLog, type KafkaCommandLogOptions } from '../../libs/log/kafka/kafka-command-log';

/** Opens logs for one spec, with new topics. `closeAll` closes the open logs and deletes the topics. */
export class OpenLogs {
  private readonly logs: KafkaCommandLog[] = [];
  private readonly topics = new Set<string>();

  private brokers: readonly string[] = [];

  /** Requested when the first log is opened. */
  constructor(private readonly ask: () => Promise<readonly string[] | { skipped: string }>) {}

  topic(): string {
    const topic = `log-spec.${randomUUID()}`;
    this.topics.add(topic);
    return topic;
  }

  /** The log is not open yet. */
  async make(topic: string, over: Partial<KafkaCommandLogOptions> = {}): Promise<KafkaCommandLog> {
    const brokers = await this.where();
    const log = new KafkaCommandLog({ brokers, topic, partitions: 2, maxPayloadBytes: 17 << 20, ...over });
    this.logs.push(log);
    return log;
  }

  async open(topic: string, over: Partial<KafkaCommandLogOptions> = {}): Promise<KafkaCommandLog> {
    const log = await this.make(topic, over);
    await log.open();
    return log;
  }

  async client(): Promise<Kafka> {
    return kafkaClient({ brokers: await this.where() });
  }

  async admin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = (await this.client()).admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** Writes a message without the log, as any client with access to the topic could. */
  send(topic: string, ...messages: Message[]): Promise<void> {
    return this.sendCompressed(topic, CompressionTypes.None, ...messages);
  }

  async sendCompressed(topic: string, compression: CompressionTypes, ...messages: Message[]): Promise<void> {
    const producer = (await this.client()).producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      // The leaders of a new topic are not available at once.
      retry: { retries: 8 },
    });
    await producer.connect();
    try {
      // Sends each message separately. If several are sent together and some are refused, sending all again would store
      // some of them twice.
      for (const message of messages) await producer.send({ topic, compression, messages: [message] });
    } finally {
      await producer.disconnect();
    }
  }

  /** Creates the topic as a log does, but without headers; two partitions. */
  async makeTopic(topic: string, over: ReadonlyMap<string, string> = new Map()): Promise<void> {
    const cluster = new KafkaCluster({ brokers: await this.where() });
    const admin = new TopicAdmin(await this.client(), cluster, 20_000);
    try {
      await admin.create(topic, 2, undefined, new Map([...neededConfig(32 << 20), ...over]));
      await admin.shape(topic);
    } finally {
      await admin.close();
    }
  }

  /** Returns the messages of a partition. */
  async messages(topic: string, partition: number, from: number, count: number): Promise<ReadMessage[]> {
    const offsets = Array.from({ length: count }, (_, index) => from + index);
    const cluster = new KafkaCluster({ brokers: await this.where() });
    const found = await cluster.read(topic, new Map([[partition, offsets]]));
    return offsets.map((offset) => found.get(partition)?.get(offset) as ReadMessage);
  }

  deleteBelow(topic: string, partition: number, offset: number): Promise<void> {
    return this.admin(async (admin) => {
      // The client finds leaders only for topics that it has requested before.
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(offset) }] });
    });
  }

  setTopic(topic: string, name: string, value: string): Promise<unknown> {
    return this.admin((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configEntries: [{ name, value }] }],
      }),
    );
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.logs.splice(0).map((log) => log.close()));
    const topics = [...this.topics];
    this.topics.clear();
    await this.admin(async (admin) => {
      const ours = (await admin.listTopics()).filter((name) => topics.some((topic) => name.startsWith(topic)));
      if (ours.length > 0) await admin.deleteTopics({ topics: ours, timeout: 10_000 });
    });
  }

  private async where(): Promise<readonly string[]> {
    if (this.brokers.length > 0) return this.brokers;
    const brokers = await this.ask();
    if ('skipped' in brokers) throw new Error(brokers.skipped);
    return (this.brokers = brokers);
  }
}
