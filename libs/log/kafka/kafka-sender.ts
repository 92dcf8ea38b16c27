/**
 * Sends messages with acks=all and resolves with their offsets. Not with the client's idempotent producer: that one takes
 * its sequence back after a failed send, and may then be told that a later batch was a duplicate, without its being
 * stored. So a record may be stored twice, but none that was acknowledged is missing.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Partitioners, type Kafka, type Message, type Producer } from 'kafkajs';
import { Fault } from '#fault';
import { isFinal, isRefused, kafkaFault } from './kafka-faults';
import { requestMs } from './kafka-connection';
import { within } from './within';

const firstPauseMs = 100;
const longestPauseMs = 1_000;
/** Without an answer in this time another producer is taken; the request itself ends sooner. */
const attemptMs = 4 * requestMs;

export class KafkaSender {
  private producer: Promise<Producer> | undefined;

  constructor(private readonly kafka: Kafka) {}

  /**
   * The offset of each message, in order; `isWanted` says whether to try again. Faults: `log.unavailable` (busy), where
   * the messages may have been stored all the same, `log.too-large`.
   */
  async send(topic: string, messages: readonly Message[], isWanted: (failure?: unknown) => boolean): Promise<number[]> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await within(
          this.attempt(topic, messages),
          attemptMs,
          () => new Fault('busy', 'log.unavailable', `Kafka did not answer within ${attemptMs / 1000} s`),
        );
      } catch (error) {
        this.forget();
        if (isFinal(error) || !isWanted(error)) throw kafkaFault(error, `appending to topic ${topic}`);
      }
      await delay(Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt, 10)));
      if (!isWanted()) throw new Fault('busy', 'log.unavailable', `Kafka has not taken what was appended to ${topic}`);
    }
  }

  /**
   * As `send`, with one message for each partition, but never stored twice: tried again only where the broker has refused
   * it. Elsewhere the fault leaves open whether it was stored.
   */
  async sendOnce(topic: string, messages: readonly Message[]): Promise<number[]> {
    const until = performance.now() + requestMs;
    const again = (failure: unknown): boolean =>
      performance.now() < until && (failure === undefined || isRefused(failure));
    // Each by itself: of several, some could be stored and others refused.
    const offsets: number[] = [];
    for (const message of messages) offsets.push(...(await this.send(topic, [message], again)));
    return offsets;
  }

  async close(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    await producer?.then((one) => within(one.disconnect(), 5_000, () => new Error('late'))).catch(() => undefined);
  }

  private async attempt(topic: string, messages: readonly Message[]): Promise<number[]> {
    const producer = await this.connected();
    const answers = await producer.send({ topic, messages: [...messages], acks: -1, timeout: requestMs });
    const next = new Map<number, number>();
    for (const { partition, baseOffset, errorCode } of answers) {
      if (errorCode === 0 && baseOffset !== undefined) next.set(partition, Number(baseOffset));
    }
    return messages.map(({ partition = -1 }) => {
      const offset = next.get(partition);
      if (offset === undefined || !(offset >= 0)) {
        throw new Fault('busy', 'log.unavailable', `Kafka did not acknowledge what was sent to partition ${partition}`);
      }
      next.set(partition, offset + 1);
      return offset;
    });
  }

  private connected(): Promise<Producer> {
    if (this.producer === undefined) {
      const producer = this.kafka.producer({
        allowAutoTopicCreation: false,
        createPartitioner: Partitioners.DefaultPartitioner,
        idempotent: false,
        // Who calls knows how long to go on; tried again inside, one that nobody waits for any more would still be sent.
        retry: { retries: 0 },
      });
      this.producer = producer.connect().then(() => producer);
      this.producer.catch(() => undefined);
    }
    return this.producer;
  }

  /** After a failure the next attempt has connections of its own. */
  private forget(): void {
    void this.close();
  }
}
