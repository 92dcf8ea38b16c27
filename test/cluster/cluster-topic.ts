import { setTimeout as delay } from 'node:timers/promises';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import { partitionOf } from '#log';

/** The brokers of each partition, the preferred leader first. */
export type Replicas = readonly (readonly number[])[];

/** Creates a topic with its replicas on chosen brokers and reads its state, without code of the log. */
export class ClusterTopic {
  private readonly kafka: Kafka;

  constructor(
    brokers: readonly string[],
    readonly name: string,
    readonly replicas: Replicas,
  ) {
    this.kafka = new Kafka({
      brokers: [...brokers],
      logLevel: logLevel.NOTHING,
      connectionTimeout: 2_000,
      requestTimeout: 5_000,
      retry: { retries: 0 },
    });
  }

  async make(inSync: number): Promise<void> {
    const entries = {
      'cleanup.policy': 'delete',
      'retention.ms': '-1',
      'retention.bytes': '-1',
      'max.message.bytes': String(32 << 20),
      'min.insync.replicas': String(inSync),
    };
    await this.admin((admin) =>
      admin.createTopics({
        waitForLeaders: false,
        topics: [
          {
            topic: this.name,
            replicaAssignment: this.replicas.map((replicas, partition) => ({ partition, replicas: [...replicas] })),
            configEntries: Object.entries(entries).map(([name, value]) => ({ name, value })),
          },
        ],
      }),
    );
    await this.whole();
  }

  /** Resolves when every replica of every partition is in sync. */
  async whole(): Promise<void> {
    const wanted = this.replicas.reduce((sum, { length }) => sum + length, 0);
    for (const until = Date.now() + 60_000; Date.now() < until; await delay(200)) {
      if ((await this.inSync().catch(() => 0)) === wanted) return;
    }
    throw new Error(`the replicas of topic ${this.name} do not get in sync`);
  }

  /** Returns a certname that belongs to the partition. Different values of `which` give different names. */
  certname(partition: number, which: number): string {
    for (let n = 0; ; n++) {
      const certname = `node-${which}-${n}.cluster.test`;
      if (partitionOf(certname, this.replicas.length) === partition) return certname;
    }
  }

  private async inSync(): Promise<number> {
    return this.admin(async (admin) => {
      const { topics } = await admin.fetchTopicMetadata({ topics: [this.name] });
      const partitions = topics[0]?.partitions ?? [];
      if (partitions.some(({ leader }) => leader < 0)) return 0;
      return partitions.reduce((sum, { isr }) => sum + isr.length, 0);
    });
  }

  private async admin<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = this.kafka.admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }
}
