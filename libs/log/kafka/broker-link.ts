/**
 * Uses internal modules of kafkajs, because its public interface has only one outcome for a whole request: if a
 * response names an error for one partition, kafkajs discards the rest of the response. So one partition without a
 * leader would stop all appends to the topic and all reads from it (docs/decisions/0005).
 */
import type { Socket } from 'node:net';
import type { ISocketFactory, Message } from 'kafkajs';
import Broker from 'kafkajs/src/broker';
import { createLogger } from 'kafkajs/src/loggers';
import ConnectionPool from 'kafkajs/src/network/connectionPool';
import { createErrorFromCode } from 'kafkajs/src/protocol/error';
import { requests } from 'kafkajs/src/protocol/requests';
import apiKeys from 'kafkajs/src/protocol/requests/apiKeys';
import { Fault } from '#fault';
import { clientConfig, connectMs, requestMs, type KafkaConnection } from './kafka-connection';
import type { ReadMessage } from './record-message';
import { within } from './within';

export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

export interface PartitionMessages {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly Message[];
}

export type PartitionOutcome = { readonly baseOffset: number } | { readonly error: Error };

export interface FetchStart {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

interface FetchLimits {
  /** Milliseconds that the broker waits if no partition has a message. */
  readonly waitMs: number;
  /** A broker exceeds this limit if the first batch of a response is larger. */
  readonly partitionBytes: number;
}

/** `messages` can contain messages from before the requested offset. */
export type FetchOutcome = { readonly messages: readonly ReadMessage[] } | { readonly error: Error };

/** kafkajs cannot decode the messages of a response, for example because of their compression. */
export class UndecodableError extends Error {}

interface PartitionState {
  /** Negative if the partition has no leader. */
  readonly leader: number;
  readonly replicas: readonly number[];
  readonly inSync: number;
}

export interface TopicMetadata {
  readonly brokers: ReadonlyMap<number, BrokerAddress>;
  readonly partitions: ReadonlyMap<number, PartitionState>;
}

interface ProduceAnswer {
  readonly topics: readonly {
    readonly topicName: string;
    readonly partitions: readonly {
      readonly partition: number;
      readonly errorCode: number;
      readonly baseOffset: string;
    }[];
  }[];
}

interface FetchAnswer {
  readonly responses: readonly {
    readonly topicName: string;
    readonly partitions: readonly {
      readonly partition: number;
      readonly errorCode: number;
      readonly messages: readonly ReadMessage[];
    }[];
  }[];
}

interface MetadataAnswer {
  readonly brokers: readonly (BrokerAddress & { readonly nodeId: number })[];
  readonly topicMetadata: readonly {
    readonly topicErrorCode: number;
    readonly topic: string;
    readonly partitionMetadata: readonly {
      readonly partitionId: number;
      readonly leader: number;
      readonly replicas: readonly number[];
      readonly isr: readonly number[];
    }[];
  }[];
}

/**
 * Time that the leader waits for the other replicas. Less than `requestMs`, so that the leader answers before the
 * request times out.
 */
const replicasMs = requestMs - 2_000;
const fetchBytes = 8 << 20;
const readUncommitted = 0;
const logger = createLogger({ level: 0, logCreator: () => () => undefined });

export class BrokerLink {
  private readonly sockets = new Set<Socket>();
  private broker: Broker | undefined;
  private pool: ConnectionPool | undefined;

  constructor(
    private readonly connection: KafkaConnection,
    readonly address: BrokerAddress,
  ) {}

  async topics(ms: number): Promise<string[]> {
    return (await this.requestMetadata([], ms)).topicMetadata.map(({ topic }) => topic);
  }

  /** Throws if the topic does not exist. A partition without a leader is not an error. */
  async metadata(topic: string, ms: number): Promise<TopicMetadata> {
    const answer = await this.requestMetadata([topic], ms);
    const found = answer.topicMetadata.find((one) => one.topic === topic);
    if (found === undefined) throw new Error(`the broker gives no metadata of topic ${topic}`);
    if (found.topicErrorCode !== 0) throw createErrorFromCode(found.topicErrorCode);
    return {
      brokers: new Map(answer.brokers.map(({ nodeId, host, port }) => [nodeId, { host, port }])),
      partitions: new Map(
        found.partitionMetadata.map(({ partitionId, leader, replicas, isr }) => [
          partitionId,
          { leader, replicas, inSync: isr.length },
        ]),
      ),
    };
  }

  /** The broker answers when all in-sync replicas have the batches. */
  async produce(batches: readonly PartitionMessages[]): Promise<PartitionOutcome[]> {
    const topics = new Map<string, PartitionMessages[]>();
    for (const batch of batches) topics.set(batch.topic, [...(topics.get(batch.topic) ?? []), batch]);
    const topicData = [...topics].map(([topic, its]) => ({
      topic,
      partitions: its.map(({ partition, messages }) => ({ partition, messages, firstSequence: 0 })),
    }));
    const options = { acks: -1, timeout: replicasMs, compression: 0, topicData };
    const answer = (await this.ask(apiKeys.Produce, requests.Produce, options, requestMs)) as ProduceAnswer;
    return batches.map(({ topic, partition }) => {
      const its = answer.topics
        .find(({ topicName }) => topicName === topic)
        ?.partitions.find((one) => one.partition === partition);
      if (its === undefined) return { error: new Error(`the broker gives no answer for partition ${partition}`) };
      if (its.errorCode !== 0) return { error: createErrorFromCode(its.errorCode) };
      return { baseOffset: Number(its.baseOffset) };
    });
  }

  /** Throws `UndecodableError` if kafkajs cannot decode the messages of one partition. */
  async fetch(starts: readonly FetchStart[], { waitMs, partitionBytes }: FetchLimits): Promise<FetchOutcome[]> {
    const topics = new Map<string, { partition: number; fetchOffset: number; maxBytes: number }[]>();
    for (const { topic, partition, offset } of starts) {
      const wanted = { partition, fetchOffset: offset, maxBytes: partitionBytes };
      topics.set(topic, [...(topics.get(topic) ?? []), wanted]);
    }
    const options = {
      isolationLevel: readUncommitted,
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes: fetchBytes,
      topics: [...topics].map(([topic, partitions]) => ({ topic, partitions })),
    };
    const answer = (await this.ask(apiKeys.Fetch, requests.Fetch, options, waitMs + requestMs)) as FetchAnswer;
    return starts.map(({ topic, partition }) => {
      const found = answer.responses
        .find(({ topicName }) => topicName === topic)
        ?.partitions.find((one) => one.partition === partition);
      if (found === undefined) return { error: new Error(`the broker gives no answer for partition ${partition}`) };
      if (found.errorCode !== 0) return { error: createErrorFromCode(found.errorCode) };
      return { messages: found.messages };
    });
  }

  /** Makes all unanswered requests fail. The next request opens a new connection. */
  close(): void {
    const { broker } = this;
    this.broker = undefined;
    this.pool = undefined;
    // Destroys the sockets with an error, because otherwise kafkajs waits for the responses of open requests.
    for (const socket of this.sockets) socket.destroy(new Error('the connection was given up'));
    this.sockets.clear();
    broker?.disconnect().catch(() => undefined);
  }

  private async requestMetadata(topics: readonly string[], ms: number): Promise<MetadataAnswer> {
    const options = { topics, allowAutoTopicCreation: false };
    return (await this.ask(apiKeys.Metadata, requests.Metadata, options, ms)) as MetadataAnswer;
  }

  /** Closes the connection after a failure, so that the response cannot arrive later. */
  private async ask(apiKey: number, definitions: unknown, options: unknown, ms: number): Promise<unknown> {
    const { host, port } = this.address;
    try {
      return await within(
        this.answer(apiKey, definitions, options),
        connectMs + ms,
        () => new Fault('busy', 'log.unavailable', `broker ${host}:${port} does not answer`),
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  private async answer(apiKey: number, definitions: unknown, options: unknown): Promise<unknown> {
    if (this.broker === undefined || this.pool === undefined) {
      this.pool = new ConnectionPool({
        ...clientConfig(this.connection),
        ...this.address,
        logger,
        socketFactory: (given) => this.socket(given),
      });
      this.broker = new Broker({ connectionPool: this.pool, logger, authenticationTimeout: requestMs });
    }
    const { broker, pool } = this;
    await broker.connect();
    const { request, response } = broker.lookupRequest(apiKey, definitions)(options);
    const decode = async (bytes: unknown): Promise<unknown> => {
      try {
        return await response.decode(bytes);
      } catch (cause) {
        throw new UndecodableError(`an answer of broker ${this.address.host}:${this.address.port}`, { cause });
      }
    };
    // Replaces `response.parse` of kafkajs, which would throw if any partition in the response has an error.
    return pool.send({ request, response: { decode, parse: (answer) => answer } });
  }

  private socket(given: Parameters<ISocketFactory>[0]): Socket {
    const socket = clientConfig(this.connection).socketFactory(given);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }
}
