/**
 * Does not use the idempotent producer of kafkajs. This producer reuses sequence numbers after a failed send, and the
 * broker can then drop a later batch as a duplicate. Without this producer, a record can be stored twice, but no
 * acknowledged record is lost.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from 'kafkajs';
import { Fault } from '#fault';
import type { PartitionMessages } from './broker-link';
import { requestMs } from './kafka-connection';
import { isFinal, isRefused, kafkaFault } from './kafka-faults';
import { ProduceConnection } from './produce-connection';
import { KafkaCluster, pauseAfter, type Leader } from './kafka-cluster';

/** If a failed request took longer than this, it has delayed other requests to the same broker. */
const slowMs = 1_000;

export class KafkaSender {
  private readonly connections = new Map<string, ProduceConnection>();
  /**
   * Partitions whose last request was slow and failed. They use separate connections, so that they do not delay other
   * partitions.
   */
  private readonly slow = new Set<string>();
  private isClosed = false;

  constructor(private readonly cluster: KafkaCluster) {}

  /**
   * Sends messages to one partition without a retry, and returns the offset of the first message. If `isRefused`
   * returns false for an error, the messages may have been stored.
   */
  async attempt(batch: PartitionMessages): Promise<number> {
    const { topic, partition } = batch;
    const partitionName = `${topic}/${partition}`;
    const leader = await this.cluster.leaderOf(topic, partition);
    if (this.isClosed) throw new Fault('busy', 'log.unavailable', 'the log is being closed');
    const began = performance.now();
    try {
      const offset = await this.connectionTo(leader, this.slow.has(partitionName)).send(batch);
      this.slow.delete(partitionName);
      return offset;
    } catch (error) {
      if (performance.now() - began > slowMs) this.slow.add(partitionName);
      if (!isFinal(error)) this.cluster.forget(topic, partition);
      throw error;
    }
  }

  /**
   * Returns the offsets of the messages, in the order of the messages. If the messages of a partition cannot be sent,
   * retries as long as `isWanted` returns true. Throws `log.too-large`, `log.unavailable` or `log.unreachable`. After a
   * fault of the kind `busy`, the messages may have been stored.
   */
  async send(topic: string, messages: readonly Message[], isWanted: (failure: unknown) => boolean): Promise<number[]> {
    const batches = new Map<number, Message[]>();
    for (const message of messages) {
      const { partition = -1 } = message;
      const batch = batches.get(partition);
      if (batch === undefined) batches.set(partition, [message]);
      else batch.push(message);
    }
    const outcomes = await Promise.allSettled(
      [...batches].map(async ([partition, its]): Promise<[number, number]> => {
        return [partition, await this.sendBatch({ topic, partition, messages: its }, isWanted)];
      }),
    );
    const next = new Map<number, number>();
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      next.set(...outcome.value);
    }
    return messages.map(({ partition = -1 }) => {
      const offset = next.get(partition) as number;
      next.set(partition, offset + 1);
      return offset;
    });
  }

  /**
   * Stores no message twice: retries only if the error proves that the broker has stored nothing. After a fault of the
   * kind `busy`, a message may have been stored.
   */
  async sendOnce(topic: string, messages: readonly Message[]): Promise<number[]> {
    const until = performance.now() + requestMs;
    return this.send(topic, messages, (failure) => performance.now() < until && isRefused(failure));
  }

  /** Makes all unanswered requests fail, but the broker can still store their messages. */
  close(): void {
    this.isClosed = true;
    for (const connection of this.connections.values()) connection.close();
    this.connections.clear();
  }

  private async sendBatch(batch: PartitionMessages, isWanted: (failure: unknown) => boolean): Promise<number> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.attempt(batch);
      } catch (error) {
        if (isFinal(error) || !isWanted(error))
          throw kafkaFault(error, `appending to partition ${batch.partition} of topic ${batch.topic}`);
      }
      await delay(pauseAfter(failures));
    }
  }

  private connectionTo(leader: Leader, isSlow: boolean): ProduceConnection {
    const key = `${leader.id}@${leader.host}:${leader.port}${isSlow ? ' slow' : ''}`;
    let connection = this.connections.get(key);
    if (connection === undefined) {
      connection = new ProduceConnection(this.cluster.connect(leader));
      this.connections.set(key, connection);
    }
    return connection;
  }
}
