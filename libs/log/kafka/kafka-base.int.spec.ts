import { randomBytes } from 'node:crypto';
import { describeWithKafka, kafkaBrokers } from '../../../test/support/kafka';
import { until } from '../../../test/support/until';
import { certnameOf, newRecord, readRecords } from '../testing/contract-records';
import type { CommandLog, PreparedBase } from '../command-log';
import { checkRestore } from '../testing/restore-contract';
import { offsetAfter, type LogRecord, type Position } from '../record';
import { endMessage } from './marks';
import { OpenLogs } from '../../../test/support/kafka-logs';

const wide = { maxRecords: 1000, maxBytes: 64 << 20 };
const at = ({ partition, offset }: Position): string => `${partition}:${offset}`;

const offsets = (first: number, second: number): Map<number, number> =>
  new Map([
    [0, first],
    [1, second],
  ]);

async function everything(log: CommandLog): Promise<LogRecord[]> {
  const { starts, ends } = await log.extent();
  const open = new Map([...ends].filter(([partition, end]) => end > (starts.get(partition) ?? 0)));
  const reader = log.reader(starts);
  const records: LogRecord[] = [];
  while (open.size > 0) {
    const batch = await reader.next(wide, AbortSignal.timeout(10_000));
    if (batch.length === 0) throw new Error(`${records.length} records came, not all`);
    for (const record of batch) {
      if (offsetAfter(record) >= (open.get(record.partition) as number)) open.delete(record.partition);
    }
    records.push(...batch);
  }
  await reader.close();
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}

async function* given(records: readonly LogRecord[]): AsyncGenerator<LogRecord> {
  yield* records;
}

describeWithKafka('a base of the log on Kafka', () => {
  const logs = new OpenLogs(kafkaBrokers);
  afterEach(() => logs.closeAll());

  /**
   * Returns a log with 20 records in each of two partitions, and the records to keep in a base that ends at the offsets
   * 11 and 16.
   */
  async function filled(): Promise<{
    topic: string;
    log: CommandLog;
    all: string[];
    kept: LogRecord[];
    after: string[];
  }> {
    const topic = logs.topic();
    const log = await logs.open(topic);
    for (let n = 0; n < 40; n++) {
      await log.append(newRecord(certnameOf(n % 2, 2), { version: n, payload: randomBytes(2000) }));
    }
    const records = await everything(log);
    const isKept = ({ partition, offset }: LogRecord): boolean =>
      partition === 0 ? offset < 11 && offset % 3 === 0 : offset === 4;
    const kept = records.filter(isKept);
    const after = records.filter((one) => isKept(one) || one.offset >= (one.partition === 0 ? 11 : 16));
    return { topic, log, all: records.map(at), kept, after: after.map(at) };
  }

  const baseTopics = (topic: string): Promise<string[]> =>
    logs.admin(async (admin) => (await admin.listTopics()).filter((name) => name.startsWith(`${topic}.base-`)).sort());

  it('and the tail behind it are restored with each record at its place', async () => {
    const topic = logs.topic();
    await checkRestore(() => logs.make(topic, { partitions: 7 }));
  });

  it('stands for what lies before the tail', async () => {
    const { topic, log, kept, after } = await filled();
    const prepared = await log.prepareBase(offsets(11, 16), given(kept));
    expect((await log.extent()).starts).toEqual(offsets(1, 1));
    const early = prepared.reader(await prepared.starts());
    expect((await readRecords(early, after.length)).map(at).sort()).toEqual([...after].sort());
    await early.close();
    await prepared.commit();
    expect(await log.extent()).toMatchObject({ starts: offsets(3, 4), tails: offsets(11, 16) });
    const records = await everything(log);
    expect(records.map(at)).toEqual(after);
    expect(records.slice(0, 3).map(({ next }) => next)).toEqual([6, 9, 11]);
    await log.truncate();
    expect((await everything(log)).map(at)).toEqual(after);
    const again = await logs.open(topic, { expectedLogId: (await log.open()).logId });
    expect((await everything(again)).map(at)).toEqual(after);
  });

  it('is nothing to anybody where its maker died before the commit, and is removed later', async () => {
    const { topic, log, all, kept } = await filled();
    await log.prepareBase(offsets(11, 16), given(kept));
    const next = await logs.open(topic);
    expect((await everything(next)).map(at)).toEqual(all);
    expect(await baseTopics(topic)).toHaveLength(1);
    await next.truncate();
    // A broker may list a topic for a moment after its deletion.
    await until(async () => (await baseTopics(topic)).length === 0);
    expect((await everything(next)).map(at)).toEqual(all);
  });

  it('is nothing to anybody where its maker died in the middle of the commit', async () => {
    const { topic, log, all, kept } = await filled();
    await log.prepareBase(offsets(11, 16), given(kept));
    const [base = ''] = await baseTopics(topic);
    await logs.send(base, endMessage(0, { base: Number(base.split('-').at(-1)), first: 3 }));
    const next = await logs.open(topic);
    expect(await next.extent()).toMatchObject({ starts: offsets(1, 1), tails: offsets(1, 1) });
    expect((await everything(next)).map(at)).toEqual(all);
    await next.truncate();
    expect((await everything(next)).map(at)).toEqual(all);
    // The next base gets another number, so the remains of the discarded base do not affect it.
    const again = await next.prepareBase(offsets(11, 16), given(kept));
    await again.commit();
    expect((await next.extent()).tails).toEqual(offsets(11, 16));
  });

  it('is in force where its maker died before or in the middle of the truncation, which the next one finishes', async () => {
    const { topic, log, kept, after } = await filled();
    const first = await log.prepareBase(offsets(5, 5), given([]));
    await first.commit();
    const second = await log.prepareBase(offsets(11, 16), given(kept));
    await second.commit();
    const inForce = (await baseTopics(topic)).at(-1);
    const next = await logs.open(topic);
    expect((await everything(next)).map(at)).toEqual(after);
    await logs.deleteBelow(topic, 1, 16);
    const third = await logs.open(topic);
    expect((await everything(third)).map(at)).toEqual(after);
    await third.truncate();
    expect(await baseTopics(topic)).toEqual([inForce]);
    const ranges = await logs.admin((admin) => admin.fetchTopicOffsets(topic));
    expect(new Map(ranges.map(({ partition, low }) => [partition, Number(low)]))).toEqual(offsets(11, 16));
    expect((await everything(await logs.open(topic))).map(at)).toEqual(after);
  });

  it('is noticed by who has the log open already', async () => {
    const { topic, log, kept, after } = await filled();
    const other = await logs.open(topic);
    const waiting = other.reader(await other.ends());
    const base = await log.prepareBase(offsets(11, 16), given(kept));
    await base.commit();
    await log.truncate();
    expect((await other.extent()).tails).toEqual(offsets(11, 16));
    expect((await everything(other)).map(at)).toEqual(after);
    const { offset } = await other.append(newRecord(certnameOf(0, 2)));
    expect(offset).toBe(21);
    expect((await readRecords(waiting, 1)).map(at)).toEqual(['0:21']);
  });

  it('holds more than one batch, and large records', async () => {
    const log = await logs.open(logs.topic(), { partitions: 1 });
    for (let n = 0; n < 1200; n++) {
      void log.append(
        newRecord('a', { version: n, payload: n % 400 === 0 ? randomBytes(5_000_000) : Buffer.from('{}') }),
      );
    }
    await log.append(newRecord('a'));
    const all = await everything(log);
    const base = await log.prepareBase(new Map([[0, 1201]]), given(all.slice(0, 1200)));
    await base.commit();
    await log.truncate();
    const records = await everything(log);
    expect(records.every((record, index) => record.payload.equals(all[index]?.payload ?? Buffer.alloc(0)))).toBe(true);
    expect(records.map(at)).toEqual(all.map(at));
  });

  it('refuses what does not fit, and leaves nothing behind', async () => {
    const { topic, log, kept } = await filled();
    const refused = async (tails: Map<number, number>, records: readonly LogRecord[]): Promise<void> => {
      const made = log.prepareBase(tails, given(records));
      await expect(made).rejects.toMatchObject({ kind: 'malformed', code: 'log.base' });
    };
    await refused(new Map([[0, 5]]), []);
    await refused(offsets(0, 5), []);
    await refused(offsets(22, 5), []);
    await refused(offsets(9, 16), kept);
    await refused(offsets(11, 16), [...kept].reverse());
    expect(await baseTopics(topic)).toEqual([]);
  });

  it('cannot be put in force once a newer one is, or after it was given up', async () => {
    const { log } = await filled();
    const made: PreparedBase[] = [];
    for (let n = 0; n < 3; n++) made.push(await log.prepareBase(offsets(5, 5), given([])));
    await made[2]?.commit();
    await expect(made[1]?.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base-superseded' });
    await made[0]?.discard();
    await expect(made[0]?.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base-superseded' });
    await expect(made[2]?.discard()).rejects.toMatchObject({ kind: 'conflict' });
    await made[2]?.commit();
    expect((await log.extent()).tails).toEqual(offsets(5, 5));
  });

  it('cannot be put in force by the maker of another that was removed meanwhile', async () => {
    const { topic, log, all, kept } = await filled();
    const late = await log.prepareBase(offsets(11, 16), given(kept));
    const next = await logs.open(topic);
    await next.truncate();
    const unfinished = await next.prepareBase(offsets(11, 16), given([]));
    await expect(late.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base-superseded' });
    expect((await next.extent()).tails).toEqual(offsets(1, 1));
    expect((await everything(next)).map(at)).toEqual(all);
    await unfinished.discard();
  });

  it('refuses a log whose tail is gone, or was created again, while its base is there', async () => {
    const { topic, log, kept } = await filled();
    const base = await log.prepareBase(offsets(11, 16), given(kept));
    await base.commit();
    await log.truncate();
    await logs.admin((admin) => admin.deleteTopics({ topics: [topic], timeout: 10_000 }));
    await expect((await logs.make(topic)).open()).rejects.toMatchObject({ kind: 'conflict', code: 'log.missing' });
    await logs.makeTopic(topic);
    await expect((await logs.make(topic)).open()).rejects.toMatchObject({ kind: 'conflict', code: 'log.foreign' });
  });

  it('refuses a log whose base was deleted', async () => {
    const { topic, log, kept } = await filled();
    const base = await log.prepareBase(offsets(11, 16), given(kept));
    await base.commit();
    await log.truncate();
    const topics = await baseTopics(topic);
    await logs.admin((admin) => admin.deleteTopics({ topics, timeout: 10_000 }));
    await expect((await logs.make(topic)).open()).rejects.toMatchObject({ kind: 'broken', code: 'log.truncated' });
    await expect(log.extent()).rejects.toMatchObject({ kind: 'broken', code: 'log.truncated' });
  });
});
