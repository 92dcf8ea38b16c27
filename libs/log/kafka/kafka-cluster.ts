import { setTimeout as delay } from 'node:timers/promises';
import { Fault, retryDelay } from '#fault';
import { BrokerLink, UndecodableError, type BrokerAddress, type FetchOutcome, type TopicMetadata } from './broker-link';
import type { KafkaConnection } from './kafka-connection';
import { brokerErrorType, isFinal, kafkaFault, unreachable } from './kafka-faults';
import type { ReadMessage } from './record-message';

export interface Leader extends BrokerAddress {
  readonly id: number;
}

const askMs = 3_000;
const readMs = 10_000;

export const pauseAfter = (failures: number): number => retryDelay(failures, { firstMs: 100, longestMs: 1_000 });

/** The leader of a partition stays in the cache until `forget` is called for the partition. */
export class KafkaCluster {
  private readonly known = new Map<string, Map<number, Leader>>();
  private readonly requests = new Map<string, Promise<TopicMetadata>>();
  private named: readonly BrokerAddress[] = [];
  private readonly failures = new Map<string, number>();

  constructor(private readonly connection: KafkaConnection) {}

  connect(broker: BrokerAddress): BrokerLink {
    return new BrokerLink(this.connection, broker);
  }

  topics(): Promise<string[]> {
    return this.ask('listing the topics', (link) => link.topics(askMs));
  }

  /** Throws `log.unreachable` if no broker answers, and `log.no-leader` if the partition has no leader. */
  async leaderOf(topic: string, partition: number): Promise<Leader> {
    const known = this.known.get(topic)?.get(partition);
    if (known !== undefined) return known;
    const { brokers, partitions } = await this.readMetadata(topic);
    const state = partitions.get(partition);
    const address = state && brokers.get(state.leader);
    if (state === undefined || address === undefined) {
      const named = (state?.replicas ?? []).map((id) => {
        const replica = brokers.get(id);
        return replica === undefined ? `${id} (away)` : `${id} (${replica.host}:${replica.port})`;
      });
      throw new Fault(
        'busy',
        'log.no-leader',
        state === undefined
          ? `topic ${topic} has no partition ${partition} at the moment`
          : `partition ${partition} of topic ${topic} has no leader: none of the brokers that have it is ready: ${named.join(', ')}`,
        { hint: 'Start one of these brokers. The service continues by itself.' },
      );
    }
    return { id: state.leader, ...address };
  }

  async takesAppends(topic: string, partition: number, minInSync: number): Promise<boolean> {
    const state = (await this.readMetadata(topic)).partitions.get(partition);
    return state !== undefined && state.leader >= 0 && state.inSync >= minInSync;
  }

  forget(topic: string, partition: number): void {
    this.known.get(topic)?.delete(partition);
  }

  /** All offsets in `wanted` must exist. The value of a message is null if kafkajs cannot decode the message. */
  async read(
    topic: string,
    wanted: ReadonlyMap<number, readonly number[]>,
  ): Promise<ReadonlyMap<number, ReadonlyMap<number, ReadMessage>>> {
    const until = performance.now() + readMs;
    const links = new Map<number, BrokerLink>();
    let isOver = false;
    const readOne = async (partition: number, offset: number): Promise<ReadMessage> => {
      const leader = await this.leaderOf(topic, partition);
      if (isOver) throw new Fault('busy', 'log.unavailable', 'another message could not be read');
      const link = links.get(leader.id) ?? this.connect(leader);
      links.set(leader.id, link);
      try {
        const [outcome] = (await link.fetch([{ topic, partition, offset }], { waitMs: 200, partitionBytes: 1 })) as [
          FetchOutcome,
        ];
        if ('error' in outcome) throw outcome.error;
        const found = outcome.messages.find((message) => Number(message.offset) === offset);
        if (found !== undefined) return found;
        throw new Fault('busy', 'log.unavailable', `offset ${offset} of partition ${partition} did not arrive`);
      } catch (error) {
        if (error instanceof UndecodableError) return { offset: String(offset), value: null };
        this.forget(topic, partition);
        throw error;
      }
    };
    const readPatiently = async (partition: number, offset: number): Promise<[number, ReadMessage]> => {
      for (let failures = 1; ; failures++) {
        try {
          return [offset, await readOne(partition, offset)];
        } catch (error) {
          if (isOver || isFinal(error) || performance.now() > until)
            throw kafkaFault(error, `reading partition ${partition} of topic ${topic}`);
        }
        await delay(pauseAfter(failures));
      }
    };
    try {
      return new Map(
        await Promise.all(
          [...wanted].map(async ([partition, offsets]): Promise<[number, Map<number, ReadMessage>]> => {
            const messages = offsets.map((offset) => readPatiently(partition, offset));
            return [partition, new Map(await Promise.all(messages))];
          }),
        ),
      );
    } finally {
      isOver = true;
      for (const link of links.values()) link.close();
    }
  }

  private readMetadata(topic: string): Promise<TopicMetadata> {
    const request =
      this.requests.get(topic) ??
      this.ask(`asking for the leaders of topic ${topic}`, (link) => link.metadata(topic, askMs))
        .then((metadata) => this.remember(topic, metadata))
        .finally(() => this.requests.delete(topic));
    this.requests.set(topic, request);
    return request;
  }

  private remember(topic: string, metadata: TopicMetadata): TopicMetadata {
    const leaders = new Map<number, Leader>();
    for (const [partition, { leader: id }] of metadata.partitions) {
      const address = metadata.brokers.get(id);
      if (address !== undefined) leaders.set(partition, { id, ...address });
    }
    this.known.set(topic, leaders);
    this.named = [...metadata.brokers.values()];
    return metadata;
  }

  /** Tries one broker after another, first the brokers that have not failed recently. */
  private async ask<T>(doing: string, request: (link: BrokerLink) => Promise<T>): Promise<T> {
    const brokers = new Map(
      [...this.named, ...this.connection.brokers.map(addressOf)].map((address) => [nameOf(address), address]),
    );
    const failedAt = (broker: string): number => this.failures.get(broker) ?? 0;
    const order = [...brokers].sort(([a], [b]) => failedAt(a) - failedAt(b));
    let failure: unknown;
    for (const [broker, address] of order) {
      const link = this.connect(address);
      try {
        const answer = await request(link);
        this.failures.delete(broker);
        return answer;
      } catch (error) {
        this.failures.set(broker, performance.now());
        failure = error;
      } finally {
        link.close();
      }
    }
    if (brokerErrorType(failure) === undefined && !isFinal(failure)) throw unreachable([...brokers.keys()], failure);
    throw kafkaFault(failure, doing);
  }
}

const nameOf = ({ host, port }: BrokerAddress): string => `${host}:${port}`;

function addressOf(broker: string): BrokerAddress {
  const colon = broker.lastIndexOf(':');
  return { host: broker.slice(0, colon), port: Number(broker.slice(colon + 1)) };
}
