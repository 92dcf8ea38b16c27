import { Fault } from '#fault';
import { BrokerLink, type BrokerAddress, type TopicMetadata } from './broker-link';
import type { KafkaConnection } from './kafka-connection';
import { brokerErrorType, isFinal, kafkaFault, unreachable } from './kafka-faults';

/** The broker that leads a partition. */
export interface Leader extends BrokerAddress {
  readonly id: number;
}

const askMs = 3_000;

/**
 * Knows which broker leads each partition. It asks again only for a partition that `forget` was called for;
 * what is known of the other partitions stays in use.
 */
export class TopicLeaders {
  private readonly known = new Map<string, Map<number, Leader>>();
  private readonly asking = new Map<string, Promise<TopicMetadata>>();
  /** The brokers that the cluster named last. */
  private named: readonly BrokerAddress[] = [];
  private readonly failures = new Map<string, number>();

  constructor(private readonly connection: KafkaConnection) {}

  /** Faults, all busy: `log.unreachable` where no broker answers, `log.no-leader` where the partition has none. */
  async of(topic: string, partition: number): Promise<Leader> {
    const known = this.known.get(topic)?.get(partition);
    if (known !== undefined) return known;
    const { brokers, partitions } = await this.look(topic);
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

  /** Whether the partition has a leader and at least `minInSync` replicas in sync. Asks a broker each time. */
  async takesAppends(topic: string, partition: number, minInSync: number): Promise<boolean> {
    const state = (await this.look(topic)).partitions.get(partition);
    return state !== undefined && state.leader >= 0 && state.inSync >= minInSync;
  }

  /** The partition is asked about again before anything else is sent to it. */
  forget(topic: string, partition: number): void {
    this.known.get(topic)?.delete(partition);
  }

  /** One question at a time about each topic. */
  private look(topic: string): Promise<TopicMetadata> {
    const asking =
      this.asking.get(topic) ??
      this.ask(topic)
        .then((metadata) => this.remember(topic, metadata))
        .finally(() => this.asking.delete(topic));
    this.asking.set(topic, asking);
    return asking;
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

  /** Each broker in turn until one answers; those that failed last come last. */
  private async ask(topic: string): Promise<TopicMetadata> {
    const places = new Map(
      [...this.named, ...this.connection.brokers.map(addressOf)].map((address) => [keyOf(address), address]),
    );
    const failedAt = (place: string): number => this.failures.get(place) ?? 0;
    const order = [...places].sort(([a], [b]) => failedAt(a) - failedAt(b));
    let failure: unknown;
    for (const [place, address] of order) {
      const link = new BrokerLink(this.connection, address);
      try {
        const metadata = await link.metadata(topic, askMs);
        this.failures.delete(place);
        return metadata;
      } catch (error) {
        this.failures.set(place, performance.now());
        failure = error;
      } finally {
        link.close();
      }
    }
    if (brokerErrorType(failure) === undefined && !isFinal(failure)) throw unreachable([...places.keys()], failure);
    throw kafkaFault(failure, `asking for the leaders of topic ${topic}`);
  }
}

const keyOf = ({ host, port }: BrokerAddress): string => `${host}:${port}`;

function addressOf(broker: string): BrokerAddress {
  const colon = broker.lastIndexOf(':');
  return { host: broker.slice(0, colon), port: Number(broker.slice(colon + 1)) };
}
