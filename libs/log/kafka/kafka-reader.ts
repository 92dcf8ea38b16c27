/**
 * For each broker, a loop fetches the partitions that the broker leads. So an unreachable broker or a partition without
 * a leader does not delay other partitions.
 */
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import type { LogReader, ReadLimits } from '../command-log';
import { beforeBase, gap, noPartition, pastEnd } from '../read-faults';
import { firstRecords } from '../round-robin';
import type { LogRecord } from '../record';
import { Wakeup } from '../wakeup';
import { UndecodableError, type BrokerLink, type FetchOutcome } from './broker-link';
import { contiguous, foreignMessage, readSlice, type Cursor } from './cursor';
import type { Base } from './kafka-bases';
import { pauseAfter, type KafkaCluster, type Leader } from './kafka-cluster';
import { brokerErrorType, isFinal, kafkaFault } from './kafka-faults';
import { ReadAhead } from './read-ahead';
import type { ReadMessage } from './record-message';
import type { OffsetRange } from './topic-admin';

export interface ReaderSource {
  readonly cluster: KafkaCluster;
  readonly topic: string;
  readonly readAheadBytes: number;
  readonly closing: AbortSignal;
  ranges(topic: string): Promise<ReadonlyMap<number, OffsetRange>>;
  /** For each partition, the offset after the header. If the log has no base, the tail begins there. */
  begins(): ReadonlyMap<number, number>;
  base(): Promise<Base | undefined>;
  closed(reader: KafkaReader): void;
  trouble(cursor: Cursor, error?: unknown): void;
}

/**
 * Time that a broker waits for new messages. A partition that moves to this broker during a wait is fetched after the
 * wait.
 */
const fetchWaitMs = 250;
const partitionBytes = 4 << 20;
/** If a partition cannot be read for this time, `next` throws the fault. */
const troubleMs = 20_000;

export class KafkaReader implements LogReader {
  private readonly ahead: ReadAhead;
  private readonly wakeup = new Wakeup();
  private readonly spaceFreed = new Wakeup();
  private readonly ending = new AbortController();
  private readonly cursors: Cursor[] = [];
  private readonly links = new Map<string, BrokerLink>();
  private opening: Promise<void> | undefined;
  private fault: Fault | undefined;
  /** If set, `next` throws this fault once, and the reader continues to read. */
  private lasting: Fault | undefined;

  constructor(
    private readonly source: ReaderSource,
    private readonly start: ReadonlyMap<number, number>,
    private readonly base?: Base,
  ) {
    this.ahead = new ReadAhead(source.readAheadBytes);
  }

  async next(limits: ReadLimits, signal?: AbortSignal): Promise<LogRecord[]> {
    const signals = [this.source.closing, this.ending.signal, signal];
    const isOver = (): boolean => signals.some((one) => one?.aborted);
    if (isOver()) return [];
    await this.openUnless(signals);
    while (!isOver()) {
      const records = this.ahead.take(limits);
      if (records.length > 0) {
        this.spaceFreed.notify();
        return records;
      }
      if (this.fault !== undefined) throw this.fault;
      const { lasting } = this;
      this.lasting = undefined;
      if (lasting !== undefined) throw lasting;
      await this.wakeup.wait(...signals);
      // Waits for the records of other partitions that arrive in the same turn of the event loop.
      await immediate();
    }
    return [];
  }

  close(): Promise<void> {
    if (!this.ending.signal.aborted) {
      this.end();
      this.source.closed(this);
    }
    return Promise.resolve();
  }

  private get isEnded(): boolean {
    return this.ending.signal.aborted || this.fault !== undefined;
  }

  private end(): void {
    this.ending.abort();
    for (const link of this.links.values()) link.close();
    for (const cursor of this.cursors) this.source.trouble(cursor);
  }

  private async openUnless(signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    const opened = new Wakeup();
    this.opening ??= this.open().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    try {
      await Promise.race([this.opening, opened.wait(...signals)]);
    } finally {
      // Removes the listeners from the signals, because the signals exist longer than this attempt.
      opened.notify();
    }
  }

  private async open(): Promise<void> {
    const { source, start } = this;
    const begins = source.begins();
    const base = this.base ?? (await source.base());
    const cursors = [...firstRecords(start)].map(([partition, offset]) => {
      const tail = base?.tails.get(partition) ?? begins.get(partition);
      if (tail === undefined) throw noPartition(partition);
      const cursor: Cursor = { partition, topic: source.topic, expected: Math.max(offset, tail), hasRead: false };
      const first = base?.starts.get(partition) ?? tail;
      if (offset < tail && offset > 1 && base !== undefined && offset < first) throw beforeBase(partition, offset);
      if (offset >= tail || base === undefined || first === tail) return cursor;
      return { ...cursor, topic: base.topic, expected: 1, base: { from: base, wanted: Math.max(offset, first) } };
    });
    if (this.isEnded) return;
    for (const cursor of cursors) {
      this.cursors.push(cursor);
      this.ahead.begin(cursor.partition, cursor.base?.wanted ?? cursor.expected);
      void this.assign(cursor);
    }
  }

  private async assign(cursor: Cursor): Promise<void> {
    const { cluster } = this.source;
    delete cursor.broker;
    for (let failures = 1; !this.isEnded; failures++) {
      try {
        const leader = await cluster.leaderOf(cursor.topic, cursor.partition);
        if (this.isEnded) return;
        const broker = `${leader.id}@${leader.host}:${leader.port}`;
        cursor.broker = broker;
        if (!this.links.has(broker)) void this.readFrom(leader, broker);
        return;
      } catch (error) {
        this.failed(cursor, error);
      }
      await this.pause(failures);
    }
  }

  private async readFrom(leader: Leader, broker: string): Promise<void> {
    const link = this.source.cluster.connect(leader);
    this.links.set(broker, link);
    try {
      while (!this.isEnded) {
        await this.space();
        // Waits for other partitions that are assigned to this broker in the same turn of the event loop, so that one
        // request fetches all of them.
        await immediate();
        if (this.isEnded) return;
        const cursors = this.cursors.filter((cursor) => cursor.broker === broker);
        const [first] = cursors;
        if (first === undefined) return;
        // Moves the first partition to the end of the order, because a broker sends a batch above the limit only for
        // the first partition of a request.
        this.cursors.push(...this.cursors.splice(this.cursors.indexOf(first), 1));
        try {
          const outcomes = await this.fetch(link, cursors);
          // Handles one outcome after another, so that only one slice of messages is inflated at a time.
          for (const [index, cursor] of cursors.entries()) await this.take(cursor, outcomes[index] as FetchOutcome);
        } catch (error) {
          for (const cursor of cursors) void this.retry(cursor, error);
        }
      }
    } finally {
      this.links.delete(broker);
      link.close();
    }
  }

  /** If kafkajs cannot decode the response, fetches one batch of each partition to find the undecodable messages. */
  private async fetch(link: BrokerLink, cursors: readonly Cursor[]): Promise<FetchOutcome[]> {
    const starts = cursors.map(({ topic, partition, expected }) => ({ topic, partition, offset: expected }));
    try {
      return await link.fetch(starts, { waitMs: fetchWaitMs, partitionBytes });
    } catch (error) {
      if (!(error instanceof UndecodableError)) throw error;
    }
    const outcomes: FetchOutcome[] = [];
    for (const start of starts) {
      try {
        outcomes.push(...(await link.fetch([start], { waitMs: 0, partitionBytes: 1 })));
      } catch (error) {
        if (!(error instanceof UndecodableError)) throw error;
        outcomes.push({ error: foreignMessage(start.topic, start.partition, start.offset, error.cause) });
      }
    }
    return outcomes;
  }

  private async take(cursor: Cursor, outcome: FetchOutcome): Promise<void> {
    if (this.isEnded) return;
    if ('error' in outcome) {
      if (isFinal(outcome.error)) return this.stop(kafkaFault(outcome.error, `reading topic ${cursor.topic}`));
      if (brokerErrorType(outcome.error) === 'OFFSET_OUT_OF_RANGE') await this.checkRange(cursor);
      return void this.retry(cursor, outcome.error);
    }
    this.succeeded(cursor);
    // A broker sends whole batches, so the first batch can begin before the requested offset.
    let messages = outcome.messages.filter(({ offset }) => Number(offset) >= cursor.expected);
    while (messages.length > 0) {
      const found = Number(messages[0]?.offset);
      if (found !== cursor.expected) return this.stop(gap(cursor.partition, cursor.expected, found));
      const slice = contiguous(messages);
      messages = messages.slice(slice.length);
      await this.space();
      if (this.isEnded) return;
      await this.add(cursor, slice);
      if (this.isEnded) return;
    }
    const { base, partition } = cursor;
    if (base === undefined || cursor.expected < (base.from.highs.get(partition) as number)) return;
    const tail = base.from.tails.get(partition) as number;
    if (base.wanted !== tail) return this.stop(beforeBase(partition, base.wanted));
    delete cursor.base;
    cursor.topic = this.source.topic;
    cursor.expected = tail;
    void this.assign(cursor);
  }

  private async add(cursor: Cursor, slice: readonly ReadMessage[]): Promise<void> {
    const { records, fault } = await readSlice(cursor, slice);
    if (this.isEnded) return;
    cursor.hasRead = true;
    for (const record of records) this.ahead.add(record);
    if (fault !== undefined) this.stop(fault);
    this.wakeup.notify();
  }

  /**
   * Stops the reader if the broker no longer has the expected offset, because records were deleted or the topic was
   * created again.
   */
  private async checkRange({ topic, partition, expected, hasRead }: Cursor): Promise<void> {
    const range = await this.source.ranges(topic).then(
      (ranges) => ranges.get(partition),
      () => undefined,
    );
    if (range === undefined) return;
    if (expected > range.high)
      this.stop(hasRead ? replaced(topic, partition) : pastEnd(partition, expected, range.high));
    if (expected < range.low) this.stop(gap(partition, expected, range.low));
  }

  private async retry(cursor: Cursor, error: unknown): Promise<void> {
    delete cursor.broker;
    this.source.cluster.forget(cursor.topic, cursor.partition);
    this.failed(cursor, error);
    cursor.failures = (cursor.failures ?? 0) + 1;
    await this.pause(cursor.failures);
    if (!this.isEnded) await this.assign(cursor);
  }

  private failed(cursor: Cursor, error: unknown): void {
    if (this.isEnded) return;
    this.source.trouble(cursor, error);
    const now = performance.now();
    cursor.failingSince ??= now;
    if (now - cursor.failingSince < troubleMs && !isFinal(error)) return;
    cursor.failingSince = now;
    this.lasting = kafkaFault(error, `reading partition ${cursor.partition} of topic ${cursor.topic}`);
    this.wakeup.notify();
  }

  private succeeded(cursor: Cursor): void {
    delete cursor.failingSince;
    delete cursor.failures;
    this.source.trouble(cursor);
  }

  /** `next` returns the records that were read before the fault, and then throws the fault. */
  private stop(fault: Fault): void {
    if (this.isEnded) return;
    this.fault = fault;
    this.wakeup.notify();
    this.spaceFreed.notify();
    for (const link of this.links.values()) link.close();
  }

  private async space(): Promise<void> {
    while (this.ahead.isFull && !this.isEnded) await this.spaceFreed.wait(this.ending.signal);
  }

  private pause(failures: number): Promise<void> {
    return delay(pauseAfter(failures), undefined, { signal: this.ending.signal }).catch(() => undefined);
  }
}

const replaced = (topic: string, partition: number): Fault =>
  new Fault('broken', 'log.foreign', `partition ${partition} of topic ${topic} ends before what was read from it`, {
    hint: 'The topic was deleted and created again, or lost its end. Restart the service: it says what can be done.',
    details: { topic, partition },
  });
