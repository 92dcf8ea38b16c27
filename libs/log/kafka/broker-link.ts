/**
 * A connection to one broker for metadata, appends and reads. It uses internal modules of kafkajs, because the producer and
 * the consumer of the client have one outcome for a whole request: if a response names an error for one partition, the client
 * discards the rest of the response. One partition without a leader would stop all appends to the topic, and all reads of
 * it. Here each partition has its own outcome. See docs/decisions/0005.
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

/** What is sent to one partition in one request. */
export interface PartitionMessages {
  readonly topic: string;
  readonly partition: number;
  readonly messages: readonly Message[];
}

/** The offset of the first message, or the error of the broker for this partition. */
export type PartitionOutcome = { readonly baseOffset: number } | { readonly error: Error };

/** From where one partition is read. */
export interface FetchStart {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

interface FetchLimits {
  /** How long the broker waits if no partition has a message. */
  readonly waitMs: number;
  /** For each partition. The broker sends a larger batch whole if it is the first of the response. */
  readonly partitionBytes: number;
}

/** The messages of a partition, some of which may be before the offset, or the error of the broker for this partition. */
export type FetchOutcome = { readonly messages: readonly ReadMessage[] } | { readonly error: Error };

/** The broker has answered, but the client cannot decode the messages, for example because of their compression. */
export class UndecodableError extends Error {}

interface PartitionState {
  /** Number of the broker that leads the partition; below 0 if there is none. */
  readonly leader: number;
  /** The brokers that hold it. */
  readonly replicas: readonly number[];
  /** How many of them have all of it. */
  readonly inSync: number;
}

/** Brokers by their number, and the partitions of one topic. */
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

/** How long a broker waits for the other replicas. It is shorter than the timeout of the request, so the broker answers in time. */
const replicasMs = requestMs - 2_000;
/** Most bytes of a response to a fetch. */
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

  /** The names of all topics. */
  async topics(ms: number): Promise<string[]> {
    return (await this.requestMetadata([], ms)).topicMetadata.map(({ topic }) => topic);
  }

  /** Throws if the topic is not known, or the broker cannot be asked. The state of single partitions is no error. */
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

  /** Sends one request. The broker answers when all in-sync replicas have the batches. The outcomes have the order of `batches`. */
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

  /**
   * Reads several partitions in one request, in this order. The outcomes have the same order. Throws `UndecodableError` if
   * the messages of one of them cannot be decoded.
   */
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

  /** Closes the connection at once. Requests under way fail; the next request opens a new connection. */
  close(): void {
    const { broker } = this;
    this.broker = undefined;
    this.pool = undefined;
    // Without an error, the client would wait for the answers.
    for (const socket of this.sockets) socket.destroy(new Error('the connection was given up'));
    this.sockets.clear();
    broker?.disconnect().catch(() => undefined);
  }

  private async requestMetadata(topics: readonly string[], ms: number): Promise<MetadataAnswer> {
    const options = { topics, allowAutoTopicCreation: false };
    return (await this.ask(apiKeys.Metadata, requests.Metadata, options, ms)) as MetadataAnswer;
  }

  /** Closes the connection after a failure, because late answers would belong to no request. */
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
    // The `parse` of the client would throw the error of any partition.
    return pool.send({ request, response: { decode, parse: (answer) => answer } });
  }

  private socket(given: Parameters<ISocketFactory>[0]): Socket {
    const socket = clientConfig(this.connection).socketFactory(given);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }
}
