import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { describeWithKafka, kafkaBrokers } from '../../../test/support/kafka';
import { certnameOf, newRecord, readRecords } from '../contract/contract-records';
import type { LogFollower, StartOf } from '../command-log';
import type { LogRecord } from '../record';
import type { KafkaCommandLog } from './kafka-command-log';
import { OpenLogs } from './testing/open-logs';
import { until } from '../../../test/support/until';

const wide = { maxRecords: 1000, maxBytes: 64 << 20 };
const group = (): string => `follow-${randomUUID()}`;

async function fill(log: KafkaCommandLog, partitions: number, each: number): Promise<void> {
  for (let n = 0; n < partitions * each; n++) {
    await log.append(newRecord(certnameOf(n % partitions, partitions), { version: n }));
  }
}

/** Notes what a follower is given, and with which partitions it was asked. */
class Following {
  readonly records: LogRecord[] = [];
  readonly asked: (readonly number[])[] = [];
  readonly errors: unknown[] = [];
  private readonly stopping = new AbortController();
  private readonly follower: LogFollower;
  private readonly running: Promise<void>;

  constructor(log: KafkaCommandLog, name: string, startOf: StartOf) {
    this.follower = log.follower(name, (partitions) => {
      this.asked.push([...partitions].sort((a, b) => a - b));
      return startOf(partitions);
    });
    this.running = this.run();
  }

  partitions(since = 0): number[] {
    return [...new Set(this.records.slice(since).map(({ partition }) => partition))].sort((a, b) => a - b);
  }

  rewind(): Promise<void> {
    return this.follower.rewind();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await this.follower.close();
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      try {
        this.records.push(...(await this.follower.next(wide, this.stopping.signal)));
      } catch (error) {
        this.errors.push(error);
        if (error instanceof Fault && error.kind !== 'busy') return;
      }
    }
  }
}

describeWithKafka('reading from Kafka', () => {
  const logs = new OpenLogs(kafkaBrokers);
  afterEach(() => logs.closeAll());

  const fromOne: StartOf = (partitions) => Promise.resolve(new Map(partitions.map((partition) => [partition, 1])));

  it('shares the partitions of a group, and takes them over when one leaves', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 6 });
    await fill(log, 6, 2);
    const name = group();
    const first = new Following(log, name, fromOne);
    await until(() => first.records.length === 12);
    const second = new Following(await logs.open(topic), name, fromOne);
    await until(() => second.records.length === 6);
    expect(second.partitions()).toHaveLength(3);
    // What it had before and keeps, the first goes on with: it is not asked again.
    expect(first.asked).toEqual([[0, 1, 2, 3, 4, 5]]);
    await delay(300);
    const [before, theirs] = [first.records.length, second.records.length];
    await fill(log, 6, 1);
    await until(() => first.records.length === before + 3 && second.records.length === theirs + 3);
    expect([...first.partitions(before), ...second.partitions(theirs)].sort()).toEqual([0, 1, 2, 3, 4, 5]);

    const left = second.partitions();
    await second.stop();
    await until(() => first.asked.length === 2);
    expect(first.asked[1]).toEqual(left);
    await fill(log, 6, 1);
    await until(() => first.partitions(before + 3).length === 6);
    await first.stop();
    expect([...first.errors, ...second.errors]).toEqual([]);
  });

  it('just waits where the group has no partition left for it', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    await fill(log, 1, 1);
    const name = group();
    const first = new Following(log, name, fromOne);
    await until(() => first.records.length === 1);
    const idle = new Following(await logs.open(topic), name, fromOne);
    await delay(1_500);
    const busy = first.records.length + idle.records.length > 1 && idle.records.length > 0 ? idle : first;
    const other = busy === idle ? first : idle;
    const count = other.records.length;
    await fill(log, 1, 1);
    await until(() => busy.records.some(({ offset }) => offset === 2));
    expect(other.records).toHaveLength(count);
    await busy.stop();
    await until(() => other.records.some(({ offset }) => offset === 2));
    await other.stop();
  });

  it('tells that its owner cannot say where to begin, and asks again by itself', async () => {
    const log = await logs.open(logs.topic(), { partitions: 1 });
    await fill(log, 1, 2);
    let attempts = 0;
    const following = new Following(log, group(), (partitions) => {
      attempts += 1;
      if (attempts < 3) return Promise.reject(new Fault('busy', 'database.unreachable', 'not now'));
      return fromOne(partitions);
    });
    await until(() => following.records.length === 2);
    expect(following.errors).toEqual([
      expect.objectContaining({ code: 'database.unreachable' }),
      expect.objectContaining({ code: 'database.unreachable' }),
    ]);
    await following.stop();
  });

  it('gives records again after it is rewound, while it waits and while it reads', async () => {
    const log = await logs.open(logs.topic(), { partitions: 2 });
    await fill(log, 2, 50);
    let from = 1;
    const following = new Following(log, group(), (partitions) =>
      Promise.resolve(new Map(partitions.map((partition) => [partition, from]))),
    );
    await until(() => following.records.length === 100);
    from = 41;
    await following.rewind();
    await until(() => following.records.length === 120);
    from = 1;
    await following.rewind();
    from = 51;
    await following.rewind();
    const count = following.records.length;
    await fill(log, 2, 1);
    await until(() => following.records.slice(count).filter(({ offset }) => offset === 51).length === 2);
    for (const partition of [0, 1]) {
      const offsets = following.records.filter((record) => record.partition === partition).map(({ offset }) => offset);
      offsets.forEach((offset, index) => {
        const before = offsets[index - 1];
        expect(before === undefined || offset === before + 1 || [1, 41, 51].includes(offset)).toBe(true);
      });
    }
    await following.stop();
  });

  it('refuses positions that the log does not have, until it is rewound', async () => {
    const log = await logs.open(logs.topic(), { partitions: 1 });
    await fill(log, 1, 2);
    let from = 9;
    const follower = log.follower(group(), (partitions) =>
      Promise.resolve(new Map(partitions.map((partition) => [partition, from]))),
    );
    await expect(follower.next(wide)).rejects.toMatchObject({ kind: 'broken', code: 'log.past-end' });
    await expect(follower.next(wide)).rejects.toMatchObject({ kind: 'broken', code: 'log.past-end' });
    from = 2;
    await follower.rewind();
    expect(await readRecords(follower, 1)).toMatchObject([{ offset: 2 }]);
  });

  it('goes through the base first where its positions lie before the tail', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 2 });
    await fill(log, 2, 10);
    const reader = log.reader((await log.extent()).starts);
    const all = await readRecords(reader, 20);
    await reader.close();
    const tails = new Map([
      [0, 8],
      [1, 8],
    ]);
    const kept = all
      .filter(({ offset }) => offset < 8 && offset % 2 === 0)
      .sort((a, b) => a.partition - b.partition || a.offset - b.offset);
    const base = await log.prepareBase(
      tails,
      (async function* () {
        yield* kept;
      })(),
    );
    await base.commit();
    await log.truncate();
    const following = new Following(log, group(), async (partitions) => {
      const { starts } = await log.extent();
      // One partition begins with the base, the other in the tail.
      return new Map(partitions.map((partition) => [partition, partition === 0 ? (starts.get(0) ?? 1) : 9]));
    });
    await until(() => following.records.length === 3 + 3 + 2);
    const ofFirst = following.records.filter(({ partition }) => partition === 0).map(({ offset }) => offset);
    expect(ofFirst).toEqual([2, 4, 6, 8, 9, 10]);
    await fill(log, 2, 1);
    await until(() => following.records.length === 10);
    await following.stop();

    // Places that the base has not.
    for (const offset of [3, 5, 7]) {
      const lost = log.reader(new Map([[0, offset]]));
      await expect(lost.next(wide)).rejects.toMatchObject({ kind: 'broken', code: 'log.before-base' });
    }
    expect((await readRecords(log.reader(new Map([[0, 0]])), 7)).map(({ offset }) => offset)).toEqual([
      2, 4, 6, 8, 9, 10, 11,
    ]);
  });

  it('stops loudly at a hole', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    await fill(log, 1, 5);
    await logs.deleteBelow(topic, 0, 4);
    for (const offset of [1, 3]) {
      await expect(log.reader(new Map([[0, offset]])).next(wide)).rejects.toMatchObject({
        kind: 'broken',
        code: 'log.gap',
      });
    }
    expect(await readRecords(log.reader(new Map([[0, 4]])), 2)).toHaveLength(2);
  });

  it('stops loudly at what no log has written', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    await fill(log, 1, 2);
    await logs.send(topic, { partition: 0, value: 'stray' });
    await fill(log, 1, 1);
    const reader = log.reader((await log.extent()).starts);
    expect(await readRecords(reader, 2)).toHaveLength(2);
    await expect(reader.next(wide)).rejects.toMatchObject({
      kind: 'broken',
      code: 'log.foreign',
      details: { offset: 3 },
    });
  });

  it('stops with an error when the topic was created again meanwhile', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    await fill(log, 1, 5);
    const reader = log.reader((await log.extent()).starts);
    await readRecords(reader, 5);
    const waiting = reader.next(wide, AbortSignal.timeout(30_000));
    waiting.catch(() => undefined);
    await logs.admin((admin) => admin.deleteTopics({ topics: [topic], timeout: 10_000 }));
    await logs.open(topic, { partitions: 1 });
    await expect(waiting).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
  });

  it('leaves no groups of its own behind', async () => {
    const topic = logs.topic();
    const groups = (): Promise<string[]> =>
      logs.admin(async (admin) => {
        const { groups } = await admin.listGroups();
        return groups.map(({ groupId }) => groupId).filter((name) => name.startsWith(topic));
      });
    const log = await logs.open(topic, { partitions: 1 });
    await fill(log, 1, 1);
    const readers = [1, 2, 3].map(() => log.reader(new Map([[0, 1]])));
    for (const reader of readers) await readRecords(reader, 1);
    expect((await groups()).filter((name) => name.includes('.read-'))).toHaveLength(3);
    await log.close();
    expect(await groups()).toEqual([]);
  });
});
