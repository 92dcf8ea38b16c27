import { Fault } from '#fault';
import type { LogReader, PreparedBase } from '../command-log';
import type { LogIdentity, LogRecord } from '../record';
import type { Base, BaseContext, KafkaBases } from './kafka-bases';
import type { KafkaSender } from './kafka-sender';
import { endMessage, format, headerMessage } from './marks';
import { sendRecords, type SentRecord } from './send-records';
import { checkSettings, neededConfig } from './topic-settings';

interface BaseWriting extends BaseContext {
  readonly sender: KafkaSender;
  readonly bases: KafkaBases;
  readonly identity: LogIdentity;
  readonly replication: number | undefined;
  readonly maxMessageBytes: number;
  read(base: Base, start: ReadonlyMap<number, number>): LogReader;
}

const makeAttempts = 5;
const commitMs = 30_000;

export class KafkaPreparedBase implements PreparedBase {
  private state: 'prepared' | 'committed' | 'discarded' = 'prepared';

  private constructor(
    private readonly context: BaseWriting,
    private readonly base: Base,
  ) {}

  /** If writing fails, the next call of `truncate` deletes the topic. */
  static async write(
    context: BaseWriting,
    tails: ReadonlyMap<number, number>,
    records: AsyncIterable<LogRecord>,
  ): Promise<KafkaPreparedBase> {
    const { admin, bases, identity, replication, maxMessageBytes } = context;
    // Never reuses the number of a deleted base. Otherwise a process that still writes the deleted base would write
    // into the new base.
    let number = Math.max(((await bases.numbers()).at(-1) ?? 0) + 1, Date.now());
    for (let attempt = 1; ; attempt++, number++) {
      const config = neededConfig(maxMessageBytes);
      if (await admin.create(bases.topicOf(number), identity.partitions, replication, config)) break;
      if (attempt === makeAttempts) {
        throw new Fault(
          'busy',
          'log.unavailable',
          'no topic could be created for the base: other processes create theirs at the same time',
        );
      }
    }
    const topic = bases.topicOf(number);
    try {
      await checkSettings(admin, topic, maxMessageBytes);
      const starts = new Map(tails);
      const highs = new Map<number, number>();
      const headers = [...tails].map(([partition, tail]) => {
        const { logId, partitions } = identity;
        return headerMessage(partition, { logId, format, partitions, base: number, tail });
      });
      await context.sender.sendOnce(topic, headers);
      for (const partition of tails.keys()) highs.set(partition, 1);
      await sendRecords({ ...context, topic }, withSuccessors(records, tails, starts), ({ partition }, offset) =>
        highs.set(partition, offset + 1),
      );
      return new KafkaPreparedBase(context, {
        number,
        topic,
        logId: identity.logId,
        partitions: identity.partitions,
        tails: new Map(tails),
        starts,
        highs,
      });
    } catch (error) {
      await admin.deleteTopics([topic]).catch(() => undefined);
      throw error;
    }
  }

  starts(): Promise<ReadonlyMap<number, number>> {
    return Promise.resolve(this.base.starts);
  }

  reader(start: ReadonlyMap<number, number>): LogReader {
    return this.context.read(this.base, start);
  }

  async commit(): Promise<void> {
    if (this.state === 'committed') return;
    const { bases, sender } = this.context;
    const { number, topic, tails, starts } = this.base;
    const inForce = await bases.inForce();
    const newer = inForce !== undefined && inForce.number > number;
    if (this.state === 'discarded' || newer || !(await bases.numbers()).includes(number)) {
      throw new Fault(
        'conflict',
        'log.base-superseded',
        `base ${number} of the log was discarded, or a newer one is in force`,
        {
          hint: 'Run the snapshot again.',
        },
      );
    }
    const behind = [...tails].find(([partition, tail]) => tail < (inForce?.tails.get(partition) ?? 0));
    if (behind !== undefined) {
      throw new Fault(
        'conflict',
        'log.base-superseded',
        `base ${number} ends before the one in force in partition ${behind[0]}`,
        {
          hint: 'Run the snapshot again.',
        },
      );
    }
    const ends = [...starts].map(([partition, first]) => endMessage(partition, { base: number, first }));
    const until = performance.now() + commitMs;
    // Retries are safe, because only the last message of a partition is read.
    await sender.send(topic, ends, () => performance.now() < until);
    this.state = 'committed';
  }

  async discard(): Promise<void> {
    if (this.state === 'committed') {
      throw new Fault('conflict', 'log.base-superseded', `base ${this.base.number} of the log is already in force`);
    }
    this.state = 'discarded';
    await this.context.admin.deleteTopics([this.base.topic]);
  }
}

/**
 * Yields each record with the offset of the next record in its partition. Writes the offset of each partition's first
 * record into `starts`.
 */
async function* withSuccessors(
  records: AsyncIterable<LogRecord>,
  tails: ReadonlyMap<number, number>,
  starts: Map<number, number>,
): AsyncGenerator<SentRecord> {
  const last = new Map<number, LogRecord>();
  for await (const record of records) {
    const { partition, offset } = record;
    const tail = tails.get(partition);
    const before = last.get(partition);
    if (tail === undefined || offset >= tail || (before !== undefined && offset <= before.offset)) {
      throw new Fault(
        'malformed',
        'log.base',
        `record ${offset} of partition ${partition} does not belong in the base there`,
        {
          hint: 'The offsets of a base ascend in each partition and end before its new tail.',
        },
      );
    }
    if (before === undefined) starts.set(partition, offset);
    else yield { record: before, original: { offset: before.offset, next: offset } };
    last.set(partition, record);
  }
  for (const [partition, record] of last)
    yield { record, original: { offset: record.offset, next: tails.get(partition) as number } };
}
