/**
 * One consumer of Kafka that is kept going: replaced after each crash, and when it no longer responds, until it is
 * closed. Hands on what Kafka delivers; where to read is its owner's business.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { within } from './within';

interface ConsumingOptions {
  readonly kafka: Kafka;
  readonly group: string;
  readonly topic: string;
  /** Each time the group was (re)joined, before anything is fetched: has to seek or pause each partition. */
  readonly onAssigned: (partitions: readonly number[], member: string) => void;
  readonly onBatch: (payload: EachBatchPayload) => Promise<void>;
  /** It has crashed or stopped responding, and is replaced. */
  readonly onTrouble: (error: Error) => void;
}

const sessionMs = 10_000;
const heartbeatMs = 2_000;
/** A fetch without records returns after this time; a resumed partition may go unnoticed for as long. */
const fetchWaitMs = 250;
/** A consumer without heartbeats for this long counts as hanging. */
const silenceMs = 45_000;
const watchMs = 2_000;
const leaveMs = 15_000;
const longestPauseMs = 3_000;

export class Consuming {
  private consumer: Consumer | undefined;
  private member = '';
  private aliveAt = 0;
  private failures = 0;
  private readonly closing = new AbortController();
  private life: Promise<void> | undefined;

  constructor(private readonly options: ConsumingOptions) {}

  get group(): string {
    return this.options.group;
  }

  start(): void {
    this.life ??= this.live();
  }

  seek(partition: number, offset: number): void {
    this.command((consumer, topic) => consumer.seek({ topic, partition, offset: String(offset) }));
  }

  pause(partitions: readonly number[]): void {
    if (partitions.length > 0)
      this.command((consumer, topic) => consumer.pause([{ topic, partitions: [...partitions] }]));
  }

  resume(partitions: readonly number[]): void {
    if (partitions.length > 0)
      this.command((consumer, topic) => consumer.resume([{ topic, partitions: [...partitions] }]));
  }

  /** Resolves when the group has been left. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.life;
  }

  private command(give: (consumer: Consumer, topic: string) => void): void {
    try {
      if (this.consumer !== undefined) give(this.consumer, this.options.topic);
    } catch {
      // It is on its way out. The next one asks for everything when it joins.
    }
  }

  private async live(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      const error = await this.once();
      if (error === undefined) continue;
      this.failures += 1;
      this.options.onTrouble(error);
      const pauseMs = Math.min(longestPauseMs, 100 * 2 ** Math.min(this.failures, 10));
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The life of one consumer. Gives what ended it; nothing where it was closed. */
  private async once(): Promise<Error | undefined> {
    const { kafka, group, topic, onAssigned, onBatch } = this.options;
    const { signal } = this.closing;
    const consumer = kafka.consumer({
      groupId: group,
      allowAutoTopicCreation: false,
      readUncommitted: true,
      sessionTimeout: sessionMs,
      rebalanceTimeout: 30_000,
      heartbeatInterval: heartbeatMs,
      maxWaitTimeInMs: fetchWaitMs,
      maxBytesPerPartition: 4 << 20,
      maxBytes: 8 << 20,
      retry: { retries: 4, restartOnFailure: () => Promise.resolve(false) },
    });
    this.consumer = consumer;
    this.aliveAt = performance.now();
    const alive = (): void => void (this.aliveAt = performance.now());
    let running: Promise<void> = Promise.resolve();
    let watch: NodeJS.Timeout | undefined;
    let stop: () => void = () => undefined;
    const ended = new Promise<Error | undefined>((resolve) => {
      stop = () => resolve(undefined);
      signal.addEventListener('abort', stop, { once: true });
      consumer.on('consumer.crash', ({ payload }) => resolve(payload.error));
      consumer.on('consumer.heartbeat', alive);
      consumer.on('consumer.group_join', ({ payload }) => {
        alive();
        this.failures = 0;
        this.member = payload.memberId;
        // Called in the same turn, so that seeks and pauses made here apply to the first fetch.
        if (this.consumer === consumer) onAssigned(payload.memberAssignment[topic] ?? [], this.member);
      });
      watch = setInterval(() => {
        if (performance.now() - this.aliveAt > silenceMs) {
          resolve(new Error(`the consumer of topic ${topic} has been silent for ${silenceMs / 1000} s`));
        }
      }, watchMs).unref();
      running = (async () => {
        await consumer.connect();
        await consumer.subscribe({ topic, fromBeginning: true });
        await consumer.run({
          autoCommit: false,
          eachBatchAutoResolve: false,
          partitionsConsumedConcurrently: 8,
          eachBatch: async (payload) => {
            alive();
            if (this.consumer === consumer) await onBatch(payload);
            alive();
          },
        });
      })();
      running.catch((error: unknown) => resolve(error instanceof Error ? error : new Error(String(error))));
    });
    const error = await ended;
    // The signal outlives this consumer, and there may be many more.
    signal.removeEventListener('abort', stop);
    clearInterval(watch);
    this.consumer = undefined;
    // A consumer that leaves while it joins would stay in the group, so it has to join first.
    const gone = running.catch(() => undefined).then(() => consumer.disconnect());
    await within(gone, leaveMs, () => new Error('late')).catch(() => undefined);
    return error;
  }
}
