/**
 * A connection to one broker, for the two requests that appending takes. It uses inner parts of kafkajs, because the
 * client's own producer has one outcome for a whole request: where an answer names an error for one partition, the rest
 * of it is thrown away. So a topic with one partition without a leader could not be sent to at all, and what healthy
 * partitions had stored was sent to them again. Here each partition has its own outcome. docs/decisions/0005.
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

/** The offset of a partition's first message, or why the broker did not store them. */
export type PartitionOutcome = { readonly baseOffset: number } | { readonly error: Error };

interface PartitionState {
  /** Number of the broker that leads it; below 0 where there is none. */
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

/** How long a broker waits for the other replicas. It answers before the client gives the whole request up. */
const replicasMs = requestMs - 2_000;
const logger = createLogger({ level: 0, logCreator: () => () => undefined });

export class BrokerLink {
  private readonly sockets = new Set<Socket>();
  private broker: Broker | undefined;
  private pool: ConnectionPool | undefined;

  constructor(
    private readonly connection: KafkaConnection,
    readonly address: BrokerAddress,
  ) {}

  /** Throws what says nothing about a single partition: the topic is not known, or the broker cannot be asked. */
  async metadata(topic: string, ms: number): Promise<TopicMetadata> {
    const options = { topics: [topic], allowAutoTopicCreation: false };
    const answer = (await this.ask(apiKeys.Metadata, requests.Metadata, options, ms)) as MetadataAnswer;
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

  /** One request, answered when all in-sync replicas have it. The outcomes come in order of `batches`. */
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

  /** At once. What is under way fails; the next request opens a new connection. */
  close(): void {
    const { broker } = this;
    this.broker = undefined;
    this.pool = undefined;
    // With an error, or the client would wait for the answers.
    for (const socket of this.sockets) socket.destroy(new Error('the connection was given up'));
    this.sockets.clear();
    broker?.disconnect().catch(() => undefined);
  }

  /** After a failure the connection is closed: what is still to come on it would belong to no request. */
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
    // Not the client's own parse: it throws the first error that it finds, whichever partition it is of.
    return pool.send({
      request,
      response: { decode: (bytes) => response.decode(bytes), parse: (answer) => answer },
    });
  }

  private socket(given: Parameters<ISocketFactory>[0]): Socket {
    const socket = clientConfig(this.connection).socketFactory(given);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    return socket;
  }
}
