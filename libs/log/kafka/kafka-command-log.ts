/**
 * An append is durable when all in-sync replicas have the record. Readers keep their own positions and commit no
 * offsets to Kafka. Each base is a separate topic (kafka-bases.ts).
 */
import { Fault } from '#fault';
import { AppendQueue, type Append } from '../append-queue';
import { CommandLog, type LogExtent, type LogReader, type PreparedBase } from '../command-log';
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
import { KafkaCluster, pauseAfter } from './kafka-cluster';
import { KafkaReader, type ReaderSource } from './kafka-reader';
import { KafkaSender } from './kafka-sender';
import { openTopic, type OpenedTopic } from './opening';
import { messageOf, sizeOf } from './record-message';
import { restoreTopic } from './restore-topic';
import { TopicAdmin } from './topic-admin';
import { batchOverhead } from './topic-settings';
import { TroubleObserver, type LogTrouble } from './trouble-observer';
import { within } from './within';

export interface KafkaCommandLogOptions extends KafkaConnection {
  readonly topic: string;
  /** An existing topic keeps its number of partitions. */
  readonly partitions: number;
  readonly replication?: number;
  /** Limit on the bytes of a payload in the form in which the client sends it (compressed or not). */
  readonly maxPayloadBytes: number;
  /**
   * The log from which the read tables were built. If it is given, `open` refuses a missing topic, and a topic with
   * another log.
   */
  readonly expectedLogId?: string | undefined;
  readonly batchBytes?: number;
  readonly waitingBytes?: number;
  /** An append without an acknowledgement is rejected after this time. Default: 15 s. */
  readonly appendMs?: number;
  /** Limit for a request about topics, including its retries. Default: 10 s. */
  readonly askMs?: number;
  /** `open` waits this long for headers from another process, then writes missing headers itself. Default: 10 s. */
  readonly headerMs?: number;
  readonly readAheadBytes?: number;
  /** Called with a sentence for each setting of the topic that can cause a loss of records. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /**
   * Called when appends or reads have failed for two seconds, when further partitions fail, and with undefined when the
   * log has recovered.
   */
  readonly onTrouble?: ((trouble: LogTrouble | undefined) => void) | undefined;
}

interface KafkaAppend extends Append {
  stored: StoredPayload;
}

const closeMs = 20_000;
const lookMs = 3_000;

export class KafkaCommandLog extends CommandLog {
  private readonly cluster: KafkaCluster;
  private readonly sender: KafkaSender;
  private readonly admin: TopicAdmin;
  private readonly bases: KafkaBases;
  private readonly context: BaseContext;
  private readonly source: ReaderSource;
  private queues: readonly AppendQueue<KafkaAppend>[] = [];
  private readonly closing = new AbortController();
  private readonly readers = new Set<KafkaReader>();
  private readonly lastOffsets = new Map<number, number>();
  private readonly troubles: TroubleObserver;
  private looking: NodeJS.Timeout | undefined;
  private opened: OpenedTopic | undefined;
  private lost: Fault | undefined;

  constructor(private readonly options: KafkaCommandLogOptions) {
    super();
    const { topic } = options;
    this.troubles = new TroubleObserver(topic, (trouble) => this.troubled(trouble));
    this.cluster = new KafkaCluster(options);
    const { cluster } = this;
    this.sender = new KafkaSender(cluster);
    this.admin = new TopicAdmin(kafkaClient(options), cluster, options.askMs ?? 10_000);
    this.context = { cluster, admin: this.admin, topic };
    this.bases = new KafkaBases(this.context);
    this.source = {
      cluster,
      topic,
      readAheadBytes: options.readAheadBytes ?? 16 << 20,
      closing: this.closing.signal,
      ranges: (of) => this.admin.offsets(of),
      begins: () => this.isOpen().begins,
      base: () => this.bases.inForce(),
      closed: (reader) => this.readers.delete(reader),
      trouble: (cursor, error) => {
        if (error === undefined) this.troubles.succeeded(cursor);
        else this.troubles.failed(cursor, kafkaFault(error, `reading partition ${cursor.partition} of topic ${topic}`));
      },
    };
  }

  /**
   * Throws `log.unreachable` if no broker answers, and other `log.` faults if the topic is not the expected log or is
   * damaged.
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

  /** After a failure, the topics must be deleted before another attempt. */
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
    const size = sizeOf(record);
    return (this.queues[partition] as AppendQueue<KafkaAppend>).add({ partition, record, stored, size });
  }

  reader(start: ReadonlyMap<number, number>): LogReader {
    return this.read(start);
  }

  async ends(): Promise<ReadonlyMap<number, number>> {
    const ranges = await this.admin.offsets(this.options.topic);
    return new Map([...ranges].map(([partition, { high }]) => [partition, high]));
  }

  async extent(): Promise<LogExtent> {
    const { begins } = this.isOpen();
    // Reads the base before the ends. In the other order, a base that is committed between the two reads could have a
    // tail that begins after these ends.
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

  /**
   * Not supported, because a broker sends whole batches. A record that is read by its position takes 2 to 3 ms. If all
   * records are read in order, a record takes 0.2 ms.
   */
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
        read: (base, start) => this.read(start, base),
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

  async close(): Promise<void> {
    this.closing.abort();
    clearInterval(this.looking);
    const closed = (async (): Promise<void> => {
      await Promise.all([
        ...this.queues.map((queue) => queue.drain()),
        ...[...this.readers].map((reader) => reader.close()),
      ]);
      this.sender.close();
      await this.admin.close();
    })();
    await within(closed, closeMs, () => new Error('late')).catch(() => undefined);
  }

  /**
   * One queue for each partition, so that a partition without a leader does not delay other partitions, and a retry
   * repeats only one partition's batch.
   */
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
        // Kafka stores the messages of one request to a partition as one batch, and limits the size of a batch.
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

  /**
   * While there is trouble, checks idle partitions, because nothing else would show that a partition without appends
   * has recovered.
   */
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
        const isWell = await this.cluster.takesAppends(this.options.topic, partition, minInSync).catch(() => false);
        if (isWell && this.queues[partition]?.isIdle) this.troubles.succeeded(partition);
      }),
    );
  }

  /**
   * An offset that is lower than or equal to the highest earlier offset shows that the topic was deleted and created
   * again.
   */
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
    const size = sizeOf(record);
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

  private read(start: ReadonlyMap<number, number>, base?: Base): KafkaReader {
    const reader = new KafkaReader(this.source, start, base);
    this.readers.add(reader);
    return reader;
  }

  /** Returns the smallest value of `max.message.bytes` that the log accepts, and the value that a new topic gets. */
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
}

async function deflate(append: KafkaAppend): Promise<void> {
  append.stored = await storePayload(append.record.payload, append.record.encoding);
}
