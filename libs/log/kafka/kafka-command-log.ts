/**
 * The log as a topic of Kafka. An append is durable when all in-sync replicas have it; whoever reads keeps its own
 * positions, nothing of them is committed to Kafka. A base is a topic of its own (kafka-bases.ts).
 */
import { Fault } from '#fault';
import { AppendQueue, type Append } from '../append-queue';
import {
  CommandLog,
  type LogExtent,
  type LogFollower,
  type LogReader,
  type PreparedBase,
  type StartOf,
} from '../command-log';
import { partitionOf } from '../partition';
import type { LogContent } from '../log-content';
import { isWorthDeflating, storePayload, type StoredPayload } from '../payload-storage';
import type { LogIdentity, LogRecord, NewRecord, Position } from '../record';
import { unstorable } from '../unstorable';
import { QueueBudget } from '../queue-budget';
import { KafkaBases, type Base, type BaseContext } from './kafka-bases';
import { kafkaClient, type KafkaConnection } from './kafka-connection';
import { isFinal, isTooLarge, kafkaFault, unreachable } from './kafka-faults';
import { KafkaPreparedBase } from './kafka-prepared-base';
import { KafkaReader, type ReaderSource, type ReaderTask } from './kafka-reader';
import { KafkaSender, pauseAfter } from './kafka-sender';
import { openTopic, type OpenedTopic } from './opening';
import { messageOf, overheadOf } from './record-message';
import { restoreTopic } from './restore-topic';
import { TopicAdmin } from './topic-admin';
import { batchOverhead } from './topic-settings';
import { TroubleWatch, type LogTrouble } from './trouble-watch';
import { within } from './within';

export interface KafkaCommandLogOptions extends KafkaConnection {
  readonly topic: string;
  /** Counts only when the topic is made; later its own count holds. */
  readonly partitions: number;
  /** Of topics that are made; default: the broker's own. */
  readonly replication?: number;
  /** Largest payload, as it comes. */
  readonly maxPayloadBytes: number;
  /** Log that the read tables were made from: where the topic is missing or another one, the start refuses. */
  readonly expectedLogId?: string;
  /** Most payload bytes that are sent at once; default 8 MB. */
  readonly batchBytes?: number;
  /** Most payload bytes that may wait to be sent; default 64 MB. */
  readonly waitingBytes?: number;
  /** An append that Kafka has not acknowledged by then is rejected; default 15 s. */
  readonly appendMs?: number;
  /** Longest wait for brokers that do not answer; default 10 s. */
  readonly askMs?: number;
  /** Headers that are missing for this long are written by the process that opens the log; default 10 s. */
  readonly headerMs?: number;
  /** Payload bytes that a reader reads ahead; default 16 MB. */
  readonly readAheadBytes?: number;
  /** What makes losses possible, in plain words: too few replicas. */
  readonly onNotice?: (text: string) => void;
  /**
   * Called once when the log has not been writable or readable for two seconds, again when other partitions are
   * affected, and with undefined when all is well again. Trouble is only noticed by attempts.
   */
  readonly onTrouble?: (trouble: LogTrouble | undefined) => void;
}

interface KafkaAppend extends Append {
  /** The value of its message. */
  stored: StoredPayload;
}

const closeMs = 20_000;
const lookMs = 3_000;

export class KafkaCommandLog extends CommandLog {
  private readonly sender: KafkaSender;
  private readonly admin: TopicAdmin;
  private readonly bases: KafkaBases;
  private readonly context: BaseContext;
  private readonly source: ReaderSource;
  /** By partition; made when the log is opened. */
  private queues: readonly AppendQueue<KafkaAppend>[] = [];
  private readonly closing = new AbortController();
  private readonly readers = new Set<KafkaReader>();
  private readonly going = new Set<Promise<void>>();
  private readonly lastOffsets = new Map<number, number>();
  private readonly troubles: TroubleWatch;
  private looking: NodeJS.Timeout | undefined;
  private opened: OpenedTopic | undefined;
  private lost: Fault | undefined;

  constructor(private readonly options: KafkaCommandLogOptions) {
    super();
    const kafka = kafkaClient(options);
    const { topic } = options;
    this.troubles = new TroubleWatch(topic, (trouble) => this.troubled(trouble));
    this.sender = new KafkaSender(options);
    this.admin = new TopicAdmin(kafka, options.askMs ?? 10_000);
    const leaving = (group: string, gone: Promise<void>): void => this.track(group, gone);
    this.context = { kafka, admin: this.admin, topic, leaving };
    this.bases = new KafkaBases(this.context);
    this.source = {
      kafka,
      topic,
      readAheadBytes: options.readAheadBytes ?? 16 << 20,
      closing: this.closing.signal,
      ranges: () => this.admin.offsets(topic),
      begins: () => this.isOpen().begins,
      base: () => this.bases.inForce(),
      leaving,
      closed: (reader) => this.readers.delete(reader),
      trouble: (reader, error) => {
        if (error === undefined) this.troubles.succeeded(reader);
        else this.troubles.failed(reader, kafkaFault(error, `reading topic ${topic}`));
      },
    };
  }

  /**
   * Faults: `log.unreachable` (busy); `log.topic-settings`, `log.partitions`, `log.missing`, `log.foreign` (conflict) and
   * `log.foreign`, `log.truncated` (broken) where the topic is not a whole log, or not the expected one.
   */
  async open(): Promise<LogIdentity> {
    const { partitions, replication, expectedLogId, onNotice, headerMs } = this.options;
    try {
      this.opened ??= await openTopic({ ...this.context, sender: this.sender }, await this.bases.inForce(), {
        partitions,
        replication,
        expectedLogId,
        onNotice,
        ...this.messageBytes(),
        headerPatienceMs: headerMs,
      });
      for (const [partition, end] of this.opened.ends) {
        this.lastOffsets.set(partition, Math.max(end - 1, this.lastOffsets.get(partition) ?? 0));
      }
      if (this.queues.length === 0) this.queues = this.partitionQueues(this.opened);
      return this.opened.identity;
    } catch (error) {
      const fault = kafkaFault(error, `opening topic ${this.options.topic}`);
      if (fault.kind !== 'busy') throw fault;
      throw unreachable(this.options.brokers, fault);
    }
  }

  /** Where it fails, the topic has to be deleted before a further attempt. */
  async restore(content: LogContent): Promise<void> {
    const { replication, onNotice } = this.options;
    const context = { ...this.context, sender: this.sender, bases: this.bases };
    await restoreTopic(context, content, { replication, onNotice, ...this.messageBytes() });
    await this.open();
    if ([...content.tails.values()].every((tail) => tail === 1)) return;
    await (await this.prepareBase(content.tails, content.base())).commit();
    await this.truncate();
  }

  append(record: NewRecord): Promise<Position> {
    if (this.closing.signal.aborted || this.opened === undefined) {
      return Promise.reject(new Fault('busy', 'log.unavailable', 'the log is not open'));
    }
    if (this.lost !== undefined) return Promise.reject(this.lost);
    const refused = unstorable(record) ?? this.tooLarge(record, this.opened.maxMessageBytes);
    if (refused !== undefined) return Promise.reject(refused);
    const partition = partitionOf(record.certname, this.opened.identity.partitions);
    const stored = { value: record.payload, deflated: false };
    const size = record.payload.length + overheadOf(record);
    return (this.queues[partition] as AppendQueue<KafkaAppend>).add({ partition, record, stored, size });
  }

  reader(start: ReadonlyMap<number, number>): LogReader {
    return this.read({ start });
  }

  follower(group: string, startOf: StartOf): LogFollower {
    return this.read({ group, startOf });
  }

  async ends(): Promise<ReadonlyMap<number, number>> {
    const ranges = await this.admin.offsets(this.options.topic);
    return new Map([...ranges].map(([partition, { high }]) => [partition, high]));
  }

  async extent(): Promise<LogExtent> {
    const { begins } = this.isOpen();
    // In this order: a base that comes into force meanwhile may end past the ends that were asked for before.
    const { starts, tails } = (await this.bases.inForce()) ?? { starts: begins, tails: begins };
    return { starts, tails, ends: await this.ends() };
  }

  async offsetsSince(time: number): Promise<ReadonlyMap<number, number>> {
    const [offsets, tails] = await Promise.all([
      this.admin.offsetsAt(this.options.topic, Math.max(0, Math.ceil(time))),
      this.bases.inForce().then((base) => base?.tails ?? this.isOpen().begins),
    ]);
    return new Map([...tails].map(([partition, tail]) => [partition, Math.max(tail, offsets.get(partition) ?? tail)]));
  }

  /** A broker gives batches from an offset on; a consumer for each record would take seconds. */
  readonly lookUp = undefined;

  async prepareBase(tails: ReadonlyMap<number, number>, records: AsyncIterable<LogRecord>): Promise<PreparedBase> {
    const { identity, maxMessageBytes } = this.isOpen();
    const { tails: today, ends } = await this.extent();
    for (const [partition, tail] of today) {
      const wanted = tails.get(partition);
      if (tails.size === today.size && wanted !== undefined && wanted >= tail && wanted <= (ends.get(partition) ?? 0))
        continue;
      throw new Fault('malformed', 'log.base', `a base cannot end at offset ${wanted} of partition ${partition}`, {
        hint: 'A base names every partition, with an offset between the current tail and the end.',
        details: { partition, wanted, tail, end: ends.get(partition) },
      });
    }
    return KafkaPreparedBase.write(
      {
        ...this.context,
        sender: this.sender,
        bases: this.bases,
        identity,
        replication: this.options.replication,
        maxMessageBytes,
        read: (base, start) => this.read({ start }, base),
      },
      tails,
      records,
    );
  }

  async truncate(): Promise<void> {
    const { topic } = this.options;
    const inForce = await this.bases.inForce();
    if (inForce !== undefined) {
      const ranges = await this.admin.offsets(topic);
      const below = [...inForce.tails].filter(([partition, tail]) => tail > (ranges.get(partition)?.low ?? 0));
      if (below.length > 0) await this.admin.deleteRecords(topic, new Map(below));
    }
    const others = (await this.bases.numbers()).filter((number) => number !== inForce?.number);
    await this.admin.deleteTopics(others.map((number) => this.bases.topicOf(number)));
  }

  /** What was handed to `append` before is still stored, or rejected in its time. Followers have left their groups. */
  async close(): Promise<void> {
    this.closing.abort();
    clearInterval(this.looking);
    const closed = (async (): Promise<void> => {
      await Promise.all([
        ...this.queues.map((queue) => queue.drain()),
        ...[...this.readers].map((reader) => reader.close()),
      ]);
      while (this.going.size > 0) await Promise.all(this.going);
      this.sender.close();
      await this.admin.close();
    })();
    await within(closed, closeMs, () => new Error('late')).catch(() => undefined);
  }

  /** A queue for each: one that has no leader holds up no other, and only what failed is sent again. */
  private partitionQueues({ identity, maxMessageBytes }: OpenedTopic): AppendQueue<KafkaAppend>[] {
    const { topic, batchBytes, waitingBytes, appendMs } = this.options;
    const budget = new QueueBudget({ bytes: waitingBytes });
    return Array.from({ length: identity.partitions }, (_, partition) => {
      const name = `partition ${partition} of topic ${topic}`;
      const fault = (error: unknown): Fault => kafkaFault(error, `appending to ${name}`);
      return new AppendQueue<KafkaAppend>({
        name,
        budget,
        prepare: (append) => (isWorthDeflating(append.record) ? deflate(append) : undefined),
        store: (batch) => this.store(partition, batch),
        failures: {
          isWorthRetry: (error) => !isFinal(error),
          mayBeOneRecord: isTooLarge,
          fault,
        },
        onAttempt: (failure) => {
          if (failure === undefined) this.troubles.succeeded(partition);
          else this.troubles.failed(partition, fault(failure));
        },
        onIdle: () => this.troubles.rested(partition),
        // What is sent to a partition at once is one batch to Kafka, and counts against its limit.
        batchBytes: Math.min(batchBytes ?? 8 << 20, maxMessageBytes),
        patienceMs: appendMs ?? 15_000,
        attempts: Infinity,
        pauseAfter,
      });
    });
  }

  private async store(partition: number, batch: readonly KafkaAppend[]): Promise<(Position | undefined)[]> {
    const messages = batch.map(({ record, stored }) => messageOf(record, partition, stored));
    const first = await this.sender.attempt({ topic: this.options.topic, partition, messages });
    return messages.map((_, index) =>
      this.isOurs(partition, first + index) ? { partition, offset: first + index } : undefined,
    );
  }

  /** While trouble lasts, partitions to which nothing is sent are checked. Otherwise the end of their trouble would go unnoticed. */
  private troubled(trouble: LogTrouble | undefined): void {
    this.options.onTrouble?.(trouble);
    if (trouble === undefined) {
      clearInterval(this.looking);
      this.looking = undefined;
    } else if (!this.closing.signal.aborted) {
      this.looking ??= setInterval(() => void this.checkIdle(), lookMs).unref();
    }
  }

  private async checkIdle(): Promise<void> {
    const { minInSync } = this.isOpen();
    const idle = [...this.troubles.partitions().keys()].filter((partition) => this.queues[partition]?.isIdle);
    await Promise.all(
      idle.map(async (partition) => {
        const isWell = await this.sender.takesAppends(this.options.topic, partition, minInSync).catch(() => false);
        if (isWell && this.queues[partition]?.isIdle) this.troubles.succeeded(partition);
      }),
    );
  }

  /** Offsets never come back: a topic that gives a lower one was deleted and created again. */
  private isOurs(partition: number, offset: number): boolean {
    if (offset > (this.lastOffsets.get(partition) ?? 0)) {
      this.lastOffsets.set(partition, offset);
      return true;
    }
    this.lost ??= new Fault('broken', 'log.foreign', `topic ${this.options.topic} is not the one that was opened`, {
      hint: 'It was deleted and created again. Restart the service: it says what can be done.',
    });
    return false;
  }

  private tooLarge(record: NewRecord, maxMessageBytes: number): Fault | undefined {
    const size = record.payload.length + overheadOf(record);
    if (size <= maxMessageBytes) return undefined;
    return new Fault(
      'too-large',
      'log.too-large',
      `the command takes ${size} bytes, the log takes ${maxMessageBytes}`,
      {
        hint: `Raise max.message.bytes of topic ${this.options.topic}, or send less.`,
      },
    );
  }

  private read(task: ReaderTask, base?: Base): KafkaReader {
    const reader = new KafkaReader(this.source, task, base);
    this.readers.add(reader);
    return reader;
  }

  /** What the topic has to take at least, and what it is made with. */
  private messageBytes(): { leastMessageBytes: number; makeMessageBytes: number } {
    const { maxPayloadBytes, batchBytes } = this.options;
    const leastMessageBytes = maxPayloadBytes + batchOverhead;
    return {
      leastMessageBytes,
      makeMessageBytes: Math.max(leastMessageBytes, (batchBytes ?? 8 << 20) + batchOverhead),
    };
  }

  private isOpen(): OpenedTopic {
    if (this.opened === undefined) throw new Fault('busy', 'log.unavailable', 'the log is not open');
    return this.opened;
  }

  private track(group: string, gone: Promise<void>): void {
    const done = gone
      .then(() => this.admin.deleteGroup(group))
      .catch(() => undefined)
      .finally(() => this.going.delete(done));
    this.going.add(done);
  }
}

async function deflate(append: KafkaAppend): Promise<void> {
  append.stored = await storePayload(append.record.payload, append.record.encoding);
}
