/** What every body of the port must do, as cases that a spec runs. They stand on assertions only, not on a test runner. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isFault } from '#fault';
import type { CommandLog, LogReader, PreparedBase, ReadLimits } from '../command-log';
import { partitionOf } from '../partition';
import { offsetAfter, type LogRecord, type NewRecord, type Position } from '../record';

/** One empty log. */
interface LogUnderTest {
  /** A further instance on the same log, open; the case closes it. A body that has but one gives the same again. */
  open(): Promise<CommandLog>;
}

interface ContractCase {
  readonly title: string;
  /** Throws where the body breaks the contract. `make` gives an empty log with that many partitions. */
  readonly check: (make: (partitions: number) => Promise<LogUnderTest>) => Promise<void>;
}

const wide: ReadLimits = { maxRecords: 1000, maxBytes: 64 << 20 };
const allOf = (partitions: number, offset = 1): Map<number, number> =>
  new Map(Array.from({ length: partitions }, (_, partition) => [partition, offset]));

/** A record that has everything. */
export const newRecord = (certname: string, over: Partial<NewRecord> = {}): NewRecord => ({
  uuid: randomUUID(),
  command: 'replace facts',
  version: 5,
  certname,
  receivedAt: 1_767_225_600_123,
  encoding: 'identity',
  payload: Buffer.from(certname),
  ...over,
});

/** Reads until that many records have come; fails if they do not come. */
export async function readRecords(reader: LogReader, count: number, limits = wide): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  const patience = AbortSignal.timeout(10_000);
  while (records.length < count) {
    const batch = await reader.next(limits, patience);
    assert.ok(batch.length > 0, `${records.length} of ${count} records came`);
    records.push(...batch);
  }
  return records;
}

const at = ({ partition, offset }: Position): string => `${partition}:${offset}`;

/** A certname of the wanted partition. */
export function certnameOf(partition: number, partitions: number): string {
  for (let n = 0; ; n++) {
    if (partitionOf(`node-${n}`, partitions) === partition) return `node-${n}`;
  }
}

async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  assert.ok(isFault(error), `a Fault was expected, not ${String(error)}`);
  return `${error.kind} ${error.code}`;
}

/** Everything that a replay gives: base, then tail. */
async function replayed(log: CommandLog, source: Pick<CommandLog, 'reader' | 'starts'> = log): Promise<LogRecord[]> {
  const [starts, ends] = [await source.starts(), await log.ends()];
  const open = new Map([...starts].filter(([partition, start]) => start < (ends.get(partition) as number)));
  const reader = source.reader(starts);
  const records: LogRecord[] = [];
  const expected = new Map(starts);
  while (open.size > 0) {
    const batch = await reader.next({ maxRecords: 7, maxBytes: 1 << 20 }, AbortSignal.timeout(10_000));
    assert.ok(batch.length > 0, 'the replay ends too early');
    for (const record of batch) {
      assert.equal(record.offset, expected.get(record.partition), 'each record says which one follows');
      expected.set(record.partition, offsetAfter(record));
      if (offsetAfter(record) >= (ends.get(record.partition) as number)) open.delete(record.partition);
    }
    records.push(...batch);
  }
  await reader.close();
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}

async function* some(records: readonly LogRecord[], keep: (record: LogRecord) => boolean): AsyncGenerator<LogRecord> {
  for (const record of records) if (keep(record)) yield record;
}

/** Without what only says where the next one is. */
const bare = ({ next: _next, ...record }: LogRecord): LogRecord => record;

/** Appends this many records to the partitions in turn, of different sizes. */
async function fill(log: CommandLog, partitions: number, each: number): Promise<void> {
  for (let n = 0; n < each; n++) {
    await Promise.all(
      Array.from({ length: partitions }, (_, partition) =>
        log.append(
          newRecord(certnameOf(partition, partitions), {
            version: n,
            payload: randomBytes(n * 100),
            headers: { n: `${n}` },
          }),
        ),
      ),
    );
  }
}

const isOdd = ({ offset }: LogRecord): boolean => offset % 2 === 1;

export const commandLogContract: readonly ContractCase[] = [
  {
    title: 'says who it is, the same each time, and begins behind its headers',
    async check(make) {
      const log = await (await make(3)).open();
      const identity = await log.open();
      assert.equal(identity.partitions, 3);
      assert.match(identity.logId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.deepEqual(await log.open(), identity);
      assert.deepEqual(await log.ends(), allOf(3));
      const reader = log.reader(allOf(3, 0));
      await log.append(newRecord('a'));
      const [only, ...more] = await readRecords(reader, 1);
      assert.deepEqual([only?.certname, only?.offset, more], ['a', 1, []]);
      await reader.close();
      await log.close();
    },
  },
  {
    title: 'gives contiguous offsets and keeps the order of each certname, also between instances',
    async check(make) {
      const body = await make(4);
      const logs = [await body.open(), await body.open()];
      const reader = (logs[0] as CommandLog).reader(allOf(4));
      const appends = Array.from({ length: 400 }, (_, n) => {
        const certname = `node-${n % 14}`;
        // Each certname has its instance, as it would have its client.
        const log = logs[n % 2] as CommandLog;
        return log.append(newRecord(certname, { version: n, payload: randomBytes(n * 10) }));
      });
      const reading = readRecords(reader, 400, { maxRecords: 37, maxBytes: 60_000 });
      const positions = await Promise.all(appends);
      const records = await reading;
      assert.deepEqual(records.map(at).sort(), positions.map(at).sort());
      for (let partition = 0; partition < 4; partition++) {
        const offsets = records.filter((record) => record.partition === partition).map((record) => record.offset);
        assert.deepEqual(
          offsets,
          Array.from(offsets, (_, index) => index + 1),
        );
      }
      for (let n = 0; n < 14; n++) {
        const versions = records.filter((record) => record.certname === `node-${n}`).map((record) => record.version);
        assert.deepEqual(
          versions,
          [...versions].sort((a, b) => a - b),
        );
      }
      positions.forEach((position, n) => {
        assert.equal(position.partition, partitionOf(`node-${n % 14}`, 4));
        assert.equal(records.find((record) => at(record) === at(position))?.version, n);
      });
      await reader.close();
      for (const log of logs) await log.close();
    },
  },
  {
    title: 'keeps every byte and every header',
    async check(make) {
      const log = await (await make(2)).open();
      const given = [
        newRecord('bytes', { payload: Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), encoding: 'gzip' }),
        newRecord('empty', { payload: Buffer.alloc(0) }),
        newRecord('large', { payload: randomBytes(3_000_001) }),
        newRecord('knöten "\\{},NULL \u{1f600}', { command: 'store report', version: 8, receivedAt: 0 }),
        newRecord('NULL', { headers: { 'producer-timestamp': "2026-01-01T00:00:00.000Z'", 'retry-of': '"\\', ü: '' } }),
      ];
      const positions = await Promise.all(given.map((record) => log.append(record)));
      const reader = log.reader(allOf(2));
      const records = await readRecords(reader, given.length);
      given.forEach((record, index) => {
        const position = positions[index] as Position;
        assert.deepEqual(
          records.find((found) => at(found) === at(position)),
          { ...record, ...position },
        );
      });
      await reader.close();
      await log.close();
    },
  },
  {
    title: 'wakes a waiting reader, and lets it go where the signal aborts, the reader or the log is closed',
    async check(make) {
      const log = await (await make(2)).open();
      const reader = log.reader(allOf(2));
      const waiting = reader.next(wide);
      assert.equal(await Promise.race([waiting, delay(50).then(() => 'waits')]), 'waits');
      await log.append(newRecord('late'));
      assert.deepEqual(
        (await waiting).map((record) => record.certname),
        ['late'],
      );

      const abort = new AbortController();
      const aborted = reader.next(wide, abort.signal);
      await delay(10);
      abort.abort();
      assert.deepEqual(await aborted, []);
      assert.deepEqual(await reader.next(wide, abort.signal), []);

      const closed = reader.next(wide);
      await delay(10);
      await reader.close();
      assert.deepEqual([await closed, await reader.next(wide)], [[], []]);

      const last = log.reader(allOf(2)).next(wide);
      assert.equal((await last).length, 1);
      const end = log.reader(await log.ends()).next(wide);
      await delay(10);
      await log.close();
      assert.deepEqual(await end, []);
    },
  },
  {
    title: 'keeps to the limits, and gives a record beyond them alone',
    async check(make) {
      const log = await (await make(1)).open();
      for (const size of [100, 100, 100, 5000, 10]) await log.append(newRecord('n', { payload: Buffer.alloc(size) }));
      const sizes = async (limits: ReadLimits, batches: number): Promise<number[][]> => {
        const reader = log.reader(allOf(1));
        const found: number[][] = [];
        while (found.length < batches) found.push((await reader.next(limits)).map(({ payload }) => payload.length));
        await reader.close();
        return found;
      };
      assert.deepEqual(await sizes({ maxRecords: 2, maxBytes: 1 << 20 }, 3), [[100, 100], [100, 5000], [10]]);
      assert.deepEqual(await sizes({ maxRecords: 9, maxBytes: 250 }, 4), [[100, 100], [100], [5000], [10]]);
      assert.deepEqual(await sizes({ maxRecords: 9, maxBytes: 1 }, 5), [[100], [100], [100], [5000], [10]]);
      await log.close();
    },
  },
  {
    title: 'reads the partitions that it is asked for, from where it is asked to',
    async check(make) {
      const log = await (await make(3)).open();
      for (let n = 0; n < 9; n++) await log.append(newRecord(certnameOf(n % 3, 3), { version: n }));
      const reader = log.reader(
        new Map([
          [1, 2],
          [2, 3],
        ]),
      );
      const found = await readRecords(reader, 3);
      assert.deepEqual(found.map(at).sort(), ['1:2', '1:3', '2:3']);
      const other = log.reader(allOf(3));
      assert.equal((await readRecords(other, 9)).length, 9);
      await log.append(newRecord(certnameOf(1, 3)));
      assert.deepEqual(
        [(await readRecords(reader, 1)).map(at), (await readRecords(other, 1)).map(at)],
        [['1:4'], ['1:4']],
      );
      await reader.close();
      await other.close();
      await log.close();
    },
  },
  {
    title: 'lets no partition starve another',
    async check(make) {
      const log = await (await make(3)).open();
      const busy = Array.from({ length: 90 }, () => log.append(newRecord(certnameOf(0, 3))));
      await Promise.all([...busy, log.append(newRecord(certnameOf(1, 3))), log.append(newRecord(certnameOf(2, 3)))]);
      const reader = log.reader(allOf(3));
      const limits = { maxRecords: 4, maxBytes: 1 << 20 };
      const early = [...(await reader.next(limits)), ...(await reader.next(limits)), ...(await reader.next(limits))];
      assert.deepEqual([...new Set(early.map(({ partition }) => partition))].sort(), [0, 1, 2]);
      await reader.close();
      await log.close();
    },
  },
  {
    title: 'tells its ends: all below can be read, the next append gets them',
    async check(make) {
      const log = await (await make(2)).open();
      for (let n = 0; n < 10; n++) await log.append(newRecord(`node-${n}`));
      const ends = await log.ends();
      assert.equal(
        [...ends.values()].reduce((sum, end) => sum + end - 1, 0),
        10,
      );
      const { partition, offset } = await log.append(newRecord('one more'));
      assert.equal(offset, ends.get(partition));
      await log.close();
    },
  },
  {
    title: 'refuses what it cannot do',
    async check(make) {
      const log = await (await make(2)).open();
      assert.equal(await faultOf(log.reader(new Map([[7, 1]])).next(wide)), 'missing log.no-partition');
      assert.equal(await faultOf(log.reader(new Map([[0, 99]])).next(wide)), 'broken log.past-end');
      await log.close();
      assert.equal(await faultOf(log.append(newRecord('a'))), 'busy log.unavailable');
    },
  },
  {
    title: 'is all tail, from the first record, until it has a base',
    async check(make) {
      const log = await (await make(3)).open();
      assert.deepEqual([await log.starts(), await log.tails()], [allOf(3), allOf(3)]);
      await fill(log, 3, 2);
      assert.deepEqual([await log.starts(), await log.tails()], [allOf(3), allOf(3)]);
      await log.truncate();
      assert.equal((await replayed(log)).length, 6);
      await log.close();
    },
  },
  {
    title: 'keeps the records of a base at their places, and of the rest only the tail',
    async check(make) {
      const body = await make(3);
      const log = await body.open();
      await fill(log, 3, 10);
      const before = await replayed(log);
      // Partition 0 keeps its odd records before 8, partition 1 nothing before its end, partition 2 all that it has.
      const tails = new Map([
        [0, 8],
        [1, 11],
        [2, 1],
      ]);
      const kept = (record: LogRecord): boolean =>
        record.offset >= (tails.get(record.partition) as number) || (record.partition === 0 && isOdd(record));
      const base = await log.prepareBase(
        tails,
        some(before, (record) => record.partition === 0 && record.offset < 8 && isOdd(record)),
      );
      assert.deepEqual((await replayed(log)).map(bare), before, 'what is prepared is not in force');
      assert.deepEqual(await log.tails(), allOf(3));
      assert.deepEqual(
        await base.starts(),
        new Map([
          [0, 1],
          [1, 11],
          [2, 1],
        ]),
      );
      const wanted = before.filter(kept);
      assert.deepEqual((await replayed(log, bound(base))).map(bare), wanted);

      await base.commit();
      assert.deepEqual(await log.tails(), tails);
      assert.deepEqual(await log.starts(), await base.starts());
      assert.deepEqual((await replayed(log)).map(bare), wanted);
      assert.deepEqual(
        (await replayed(log)).filter(({ partition, offset }) => partition === 0 && offset < 8).map(offsetAfter),
        [3, 5, 7, 8],
      );
      for (let time = 0; time < 2; time++) {
        await log.truncate();
        assert.deepEqual((await replayed(log)).map(bare), wanted);
      }
      if (log.lookUp !== undefined) {
        const { lookUp } = log;
        const backwards = [...wanted].reverse();
        assert.deepEqual((await lookUp(backwards, 1 << 20)).map(bare), backwards, 'of the base and of the tail');
        assert.deepEqual((await lookUp(backwards, 1)).map(bare), backwards.slice(0, 1), 'one comes whatever its size');
        assert.deepEqual(await lookUp([], 1), []);
        const [first] = wanted as [LogRecord];
        const gone = { partition: 0, offset: 2 };
        for (const places of [
          [gone, first],
          [first, gone],
        ]) {
          await assert.rejects(lookUp(places, 1 << 20), { kind: 'missing', code: 'log.no-record' });
        }
      }
      // From within the base, and from the tail.
      const reader = log.reader(
        new Map([
          [0, 5],
          [2, 9],
        ]),
      );
      assert.deepEqual((await readRecords(reader, 7)).map(at).sort(), [
        '0:10',
        '0:5',
        '0:7',
        '0:8',
        '0:9',
        '2:10',
        '2:9',
      ]);
      await reader.close();
      assert.equal((await log.append(newRecord(certnameOf(1, 3)))).offset, 11);

      const again = await body.open();
      assert.deepEqual([await again.tails(), await again.starts()], [tails, await base.starts()]);
      assert.deepEqual((await replayed(again)).length, wanted.length + 1);
      await again.close();
      await log.close();
    },
  },
  {
    title: 'replaces a base by the next one, and forgets one that is given up',
    async check(make) {
      const log = await (await make(2)).open();
      await fill(log, 2, 6);
      const all = await replayed(log);
      const first = await log.prepareBase(
        new Map([
          [0, 5],
          [1, 4],
        ]),
        some(all, (record) => isOdd(record) && record.offset < (record.partition === 0 ? 5 : 4)),
      );
      await first.commit();
      await log.truncate();
      const afterFirst = await replayed(log);
      const givenUp = await log.prepareBase(
        new Map([
          [0, 7],
          [1, 7],
        ]),
        some([], () => true),
      );
      await givenUp.discard();
      await log.truncate();
      assert.deepEqual(await replayed(log), afterFirst);

      const second = await log.prepareBase(
        new Map([
          [0, 7],
          [1, 6],
        ]),
        some(
          afterFirst.map(bare),
          ({ partition, offset }) => (partition === 0 && offset === 3) || (partition === 1 && offset === 5),
        ),
      );
      await second.commit();
      const wanted = ['0:3', '1:5', '1:6'];
      assert.deepEqual((await replayed(log)).map(at), wanted);
      await log.truncate();
      assert.deepEqual((await replayed(log)).map(at), wanted);
      assert.deepEqual((await replayed(log)).map(offsetAfter), [7, 6, 7]);
      await log.close();
    },
  },
  {
    title: 'takes appends while a base is made, and loses none',
    async check(make) {
      const log = await (await make(2)).open();
      await fill(log, 2, 5);
      const all = await replayed(log);
      const stop = new AbortController();
      const appended: string[] = [];
      const appending = (async () => {
        for (let n = 0; n < 500 && !stop.signal.aborted; n++)
          appended.push(at(await log.append(newRecord(`late-${n}`))));
      })();
      const base = await log.prepareBase(
        new Map([
          [0, 6],
          [1, 6],
        ]),
        some(all, isOdd),
      );
      await base.commit();
      await log.truncate();
      stop.abort();
      await appending;
      assert.ok(appended.length > 0);
      const wanted = [...all.filter(isOdd).map(at), ...appended];
      assert.deepEqual((await replayed(log)).map(at).sort(), wanted.sort());
      await log.close();
    },
  },
  {
    title: 'keeps large payloads and every header in a base',
    async check(make) {
      const log = await (await make(1)).open();
      for (let n = 0; n < 4; n++) {
        await log.append(
          newRecord('ö"\\', {
            payload: randomBytes(3_000_001),
            encoding: n % 2 === 0 ? 'gzip' : 'identity',
            headers: { 'retry-of': '0-1', ü: '"' },
          }),
        );
      }
      const all = await replayed(log);
      const base = await log.prepareBase(
        new Map([[0, 5]]),
        some(all, () => true),
      );
      await base.commit();
      await log.truncate();
      assert.deepEqual((await replayed(log)).map(bare), all);
      await log.close();
    },
  },
  {
    title: 'tells which offset a time stands for',
    async check(make) {
      const log = await (await make(1)).open();
      const before = Date.now() - 1;
      for (let n = 0; n < 3; n++) await log.append(newRecord('a', { receivedAt: Date.now() }));
      await delay(20);
      const between = Date.now();
      await delay(20);
      for (let n = 0; n < 2; n++) await log.append(newRecord('a', { receivedAt: Date.now() }));
      const offsets = async (time: number): Promise<number | undefined> => (await log.offsetsSince(time)).get(0);
      assert.deepEqual([await offsets(before), await offsets(between), await offsets(Date.now() + 60_000)], [1, 4, 6]);
      await log.close();
    },
  },
  {
    title: 'gives a follower everything from where it is told, and once more when it is rewound',
    async check(make) {
      const log = await (await make(3)).open();
      await fill(log, 3, 4);
      let from = 3;
      const follower = log.follower(
        'one',
        async (partitions) => new Map(partitions.map((partition) => [partition, from])),
      );
      const places = async (count: number): Promise<string[]> =>
        [...new Set((await readRecords(follower, count)).map(at))].sort();
      assert.deepEqual(await places(6), ['0:3', '0:4', '1:3', '1:4', '2:3', '2:4']);
      from = 4;
      await follower.rewind();
      assert.deepEqual(await places(3), ['0:4', '1:4', '2:4']);
      await log.append(newRecord(certnameOf(1, 3)));
      assert.deepEqual(await places(1), ['1:5']);
      const waiting = follower.next(wide);
      await delay(20);
      await follower.close();
      assert.deepEqual([await waiting, await follower.next(wide)], [[], []]);
      await log.close();
    },
  },
  {
    title: 'lets followers of a group miss nothing together, also when one leaves',
    async check(make) {
      const body = await make(4);
      const logs = [await body.open(), await body.open()];
      const log = logs[0] as CommandLog;
      await fill(log, 4, 3);
      const seen = new Set<string>();
      const startOf = async (partitions: readonly number[]): Promise<Map<number, number>> =>
        new Map(partitions.map((partition) => [partition, 1]));
      const followers = logs.map((one) => one.follower('two', startOf));
      const stops = [new AbortController(), new AbortController()];
      const following = followers.map(async (follower, index) => {
        const { signal } = stops[index] as AbortController;
        while (!signal.aborted) for (const record of await follower.next(wide, signal)) seen.add(at(record));
      });
      const until = async (count: number): Promise<void> => {
        for (let n = 0; seen.size < count && n < 1500; n++) await delay(10);
        assert.equal(seen.size, count);
      };
      try {
        await until(12);
        stops[0]?.abort();
        await following[0];
        await followers[0]?.close();
        await fill(log, 4, 2);
        await until(20);
      } finally {
        // A follower of a closed log gives nothing at once, so its loop would never end.
        for (const stop of stops) stop.abort();
        await Promise.allSettled(following);
        for (const follower of followers) await follower.close();
        for (const one of logs) await one.close();
      }
    },
  },
];

/** The methods of a prepared base, as those of a log. */
const bound = (base: PreparedBase): Pick<CommandLog, 'reader' | 'starts'> => ({
  reader: (start) => base.reader(start),
  starts: () => base.starts(),
});
