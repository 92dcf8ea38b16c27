/**
 * A base is a topic with the older records that a snapshot has kept. Each of its partitions has a header, then records,
 * then an end message, which only the commit writes. A base is complete if all its partitions have an end message. The
 * current base is the complete base with the highest number.
 */
import { Fault } from '#fault';
import type { KafkaCluster } from './kafka-cluster';
import { readEnd, readHeader, type LogHeader } from './marks';
import type { OffsetRange, TopicAdmin } from './topic-admin';

export interface Base {
  readonly number: number;
  readonly topic: string;
  readonly logId: string;
  readonly partitions: number;
  readonly tails: ReadonlyMap<number, number>;
  /**
   * For each partition, the original offset of the first record in the base, or the start of the tail if the base has no record.
   */
  readonly starts: ReadonlyMap<number, number>;
  /** For each partition, the offset in the topic of the base at which the partition ends. */
  readonly highs: ReadonlyMap<number, number>;
}

export interface BaseContext {
  readonly cluster: KafkaCluster;
  readonly admin: TopicAdmin;
  readonly topic: string;
}

export class KafkaBases {
  private known: Base | undefined;
  private looking: Promise<Base | undefined> | undefined;

  constructor(private readonly context: BaseContext) {}

  topicOf(number: number): string {
    return `${this.context.topic}.base-${number}`;
  }

  /** Returns the numbers of all bases, finished or not, in ascending order. */
  async numbers(topics?: readonly string[]): Promise<number[]> {
    const prefix = this.topicOf(0).slice(0, -1);
    return (topics ?? (await this.context.admin.list()))
      .filter((name) => name.startsWith(prefix) && /^[1-9]\d*$/.test(name.slice(prefix.length)))
      .map((name) => Number(name.slice(prefix.length)))
      .sort((a, b) => a - b);
  }

  inForce(): Promise<Base | undefined> {
    this.looking ??= this.look().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async look(): Promise<Base | undefined> {
    const numbers = (await this.numbers()).reverse();
    for (const number of numbers) {
      if (number === this.known?.number) return this.known;
      const base = await this.read(number);
      if (base !== undefined) return (this.known = base);
    }
    if (this.known !== undefined && !numbers.includes(this.known.number)) {
      throw new Fault('broken', 'log.truncated', `topic ${this.known.topic}, the base of the log, is gone`, {
        hint: 'Somebody deleted it. Restore it, or create the log again from an export.',
      });
    }
    return undefined;
  }

  private async read(number: number): Promise<Base | undefined> {
    const topic = this.topicOf(number);
    const { cluster, admin } = this.context;
    let ranges: ReadonlyMap<number, OffsetRange>;
    try {
      ranges = await admin.offsets(topic);
    } catch (error) {
      // If the topic was deleted after it was listed, the base in this topic is no longer the current one.
      if (!(await this.numbers()).includes(number)) return undefined;
      throw error;
    }
    if (ranges.size === 0 || [...ranges.values()].some(({ low, high }) => low > 0 || high < 2)) return undefined;
    const wanted = new Map([...ranges].map(([partition, { high }]) => [partition, [0, high - 1]]));
    const found = await cluster.read(topic, wanted);
    const tails = new Map<number, number>();
    const starts = new Map<number, number>();
    const highs = new Map<number, number>();
    let identity: LogHeader | undefined;
    for (const [partition, { high }] of ranges) {
      const messages = found.get(partition);
      const end = readEnd(messages?.get(high - 1));
      if (end?.base !== number) return undefined;
      const header = readHeader(messages?.get(0), topic, partition);
      identity ??= header;
      if (header.logId !== identity.logId || header.tail === undefined || header.partitions !== ranges.size) {
        throw new Fault('broken', 'log.foreign', `partition ${partition} of topic ${topic} is not of this base`, {
          hint: 'The topic was changed from outside. Restore it.',
        });
      }
      tails.set(partition, header.tail);
      starts.set(partition, end.first);
      highs.set(partition, high);
    }
    if (identity === undefined) return undefined;
    return { number, topic, logId: identity.logId, partitions: ranges.size, tails, starts, highs };
  }
}
