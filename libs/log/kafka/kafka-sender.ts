/**
 * Sends messages with acks=all and resolves with their offsets; each partition succeeds or fails by itself. Not with the
 * client's idempotent producer: that one takes its sequence back after a failed send, and may then be told that a later
 * batch was a duplicate, without its being stored. So a record may be stored twice, but none that was acknowledged is
 * missing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from 'kafkajs';
import { Fault } from '#fault';
import type { PartitionMessages } from './broker-link';
import { requestMs, type KafkaConnection } from './kafka-connection';
import { isFinal, isRefused, kafkaFault } from './kafka-faults';
import { ProduceLane } from './produce-lane';
import { TopicLeaders, type Leader } from './topic-leaders';

const firstPauseMs = 100;
const longestPauseMs = 1_000;
/** A failure that took this long delayed other requests to the same broker. */
const slowMs = 1_000;

/** How long to wait before another attempt. */
export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - 1, 10));

export class KafkaSender {
  private readonly leaders: TopicLeaders;
  private readonly lanes = new Map<string, ProduceLane>();
  /** Partitions that failed slowly. They use a connection of their own, so that they hold up no others. */
  private readonly slow = new Set<string>();
  private isClosed = false;

  constructor(private readonly connection: KafkaConnection) {
    this.leaders = new TopicLeaders(connection);
  }

  /**
   * One attempt at one partition: the offset of its first message. Where it fails, the messages may have been stored all
   * the same, except where `isRefused` says that they were not.
   */
  async attempt(batch: PartitionMessages): Promise<number> {
    const { topic, partition } = batch;
    const place = `${topic}/${partition}`;
    const leader = await this.leaders.of(topic, partition);
    if (this.isClosed) throw new Fault('busy', 'log.unavailable', 'the log is being closed');
    const began = performance.now();
    try {
      const offset = await this.lane(leader, this.slow.has(place)).send(batch);
      this.slow.delete(place);
      return offset;
    } catch (error) {
      if (performance.now() - began > slowMs) this.slow.add(place);
      if (!isFinal(error)) this.leaders.forget(topic, partition);
      throw error;
    }
  }

  /**
   * The offset of each message, in order; `isWanted` says whether to try a partition again that failed. Faults:
   * `log.unavailable`, `log.unreachable` (busy), where messages may have been stored all the same, `log.too-large`.
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
   * As `send`, with one message for each partition, but never stored twice: tried again only where the broker has refused
   * it. Elsewhere the fault leaves open whether it was stored.
   */
  async sendOnce(topic: string, messages: readonly Message[]): Promise<number[]> {
    const until = performance.now() + requestMs;
    return this.send(topic, messages, (failure) => performance.now() < until && isRefused(failure));
  }

  /** Whether the cluster says that the partition can be sent to. */
  takesAppends(topic: string, partition: number, minInSync: number): Promise<boolean> {
    return this.leaders.takesAppends(topic, partition, minInSync);
  }

  /** At once. What is under way fails, and may have been stored. */
  close(): void {
    this.isClosed = true;
    for (const lane of this.lanes.values()) lane.close();
    this.lanes.clear();
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

  private lane(leader: Leader, isSlow: boolean): ProduceLane {
    const key = `${leader.id}@${leader.host}:${leader.port}${isSlow ? ' slow' : ''}`;
    let lane = this.lanes.get(key);
    if (lane === undefined) {
      lane = new ProduceLane(this.connection, leader);
      this.lanes.set(key, lane);
    }
    return lane;
  }
}
