import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Database, migrateControlTables, statement } from '#database';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres';
import { until } from '../../../test/support/until';
import { withoutIntervals } from '../../../test/support/without-intervals';
import { commandLogContract } from '../testing/command-log-contract';
import { certnameOf, newRecord, readRecords } from '../testing/contract-records';
import { checkRestore } from '../testing/restore-contract';
import type { NewRecord } from '../record';
import { Splitter } from './pieces/splitter';
import type { SplitPayload } from './pieces/split-payload';
import { EmbeddedCommandLog, type EmbeddedCommandLogOptions } from './embedded-command-log';
import { appendBatch } from './append-statement';
import { stays } from '../../../test/support/until';

const wide = { maxRecords: 1000, maxBytes: 64 << 20 };
const lockWaits = statement`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
const held = statement`SELECT FROM pg_locks JOIN pg_class c ON c.oid = relation
  WHERE c.relname = 'log_partitions' AND mode = 'RowShareLock' AND granted`;
const allOf = (partitions: number): Map<number, number> =>
  new Map(Array.from({ length: partitions }, (_, partition) => [partition, 1]));

let fresh: FreshDatabase;
let db: Database;
const opened: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
});
beforeEach(async () => {
  db = new Database({ connectionString: fresh.connectionString, max: 4 });
  await db.query({ text: 'TRUNCATE nodeledger.log_partitions, nodeledger.log_records', values: [] });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await db.close();
});
afterAll(() => fresh.drop());

/** Opens the log with its own connections, as another process does. */
async function openLog(over: Partial<EmbeddedCommandLogOptions> = {}): Promise<EmbeddedCommandLog> {
  const own = new Database({ connectionString: fresh.connectionString, max: 3 });
  const log = new EmbeddedCommandLog(own, { partitions: 2, ...over });
  await log.open();
  opened.push(log, own);
  return log;
}

/** Returns a splitter that finds sections in every payload of a test case. */
const splitter = (): SplitPayload => {
  const made = new Splitter((_command, { length }) => [
    { name: 'first', start: 1, end: Math.floor(length / 3), weight: 0, boundary: ',' },
    { name: 'last', start: Math.floor(length / 2), end: length, weight: 0, boundary: ',' },
  ]);
  // Takes only payloads that were not compressed, because these cases compare compressed payloads byte by byte.
  return { takes: (record) => (record as NewRecord).encoding === 'identity', split: (task) => made.split(task) };
};

describe.each<[string, (() => SplitPayload)?]>([['of whole records'], ['in parts', splitter]])(
  'EmbeddedCommandLog %s',
  (_title, makeSplitter) => {
    for (const { title, check } of commandLogContract) {
      it(title, () =>
        check((partitions) =>
          Promise.resolve({
            open: () =>
              openLog({
                partitions,
                ...(makeSplitter && { splitter: makeSplitter() }),
              }),
          }),
        ),
      );
    }
  },
);

it('is restored with each record at its place', () =>
  checkRestore(() => Promise.resolve(new EmbeddedCommandLog(db, { partitions: 7 }))));

describe('opening', () => {
  it('makes one log for all who race, with a header in each partition', async () => {
    const logs = await Promise.all([
      openLog({ partitions: 3 }),
      openLog({ partitions: 3 }),
      openLog({ partitions: 3 }),
    ]);
    const identities = await Promise.all(logs.map((log) => log.open()));
    expect(new Set(identities.map(({ logId }) => logId)).size).toBe(1);
    const headers = await db.query<{ header: string }>(statement`
      SELECT convert_from(payload, 'UTF8') AS header FROM nodeledger.log_records WHERE log_offset = 0 AND command = 'log header'`);
    const { logId } = identities[0] as { logId: string };
    expect(headers.map(({ header }) => JSON.parse(header) as unknown)).toEqual(
      Array(3).fill({ logId, format: 2, partitions: 3 }),
    );
  });

  it('keeps its own number of partitions and its records when it is opened again', async () => {
    const first = await openLog({ partitions: 3 });
    const position = await first.append(newRecord('a'));
    const again = await openLog({ partitions: 7 });
    expect(await again.open()).toEqual(await first.open());
    const [record] = await readRecords(again.reader(allOf(3)), 1);
    expect(record).toMatchObject({ certname: 'a', ...position });
  });

  it.each([
    ['a header is missing', `DELETE FROM nodeledger.log_records WHERE log_partition = 1 AND log_offset = 0`],
    [
      "a header is another log's",
      `UPDATE nodeledger.log_records SET payload = '{"logId":"x"}' WHERE log_partition = 0`,
    ],
    ['a partition is missing', `DELETE FROM nodeledger.log_partitions WHERE log_partition = 0`],
    [
      'partitions are of two logs',
      `UPDATE nodeledger.log_partitions SET log_id = gen_random_uuid() WHERE log_partition = 1`,
    ],
  ])('refuses where %s', async (_title, damage) => {
    await openLog();
    await db.query({ text: damage, values: [] });
    await expect(openLog()).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
  });
});

describe('appending', () => {
  it('shows no reader anything past an append that is still open', async () => {
    const log = await openLog();
    const { logId } = await log.open();
    const [here, there] = [certnameOf(0, 2), certnameOf(1, 2)];
    const reader = log.reader(allOf(2));
    let commit: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (commit = resolve));
    let taken: () => void = () => undefined;
    const hasTaken = new Promise<void>((resolve) => (taken = resolve));
    const slow = db.transaction(async (session) => {
      await session.query(appendBatch([{ partition: 0, record: newRecord(here, { version: 1 }) }], logId, 'other'));
      taken();
      await held;
    });
    await hasTaken;
    const writer = await openLog();
    await writer.append(newRecord(there, { version: 2 }));
    expect((await readRecords(reader, 1)).map(({ version }) => version)).toEqual([2]);

    const behind = log.append(newRecord(here, { version: 3 }));
    const more = reader.next(wide);
    let hasEnded = false;
    void Promise.race([behind, more]).then(() => (hasEnded = true));
    await stays(() => !hasEnded, { forMs: 500, what: 'the wait for the transaction' });
    expect(await log.ends()).toEqual(
      new Map([
        [0, 1],
        [1, 2],
      ]),
    );

    commit();
    await slow;
    expect(await behind).toEqual({ partition: 0, offset: 2 });
    const found = [...(await more)];
    while (found.length < 2) found.push(...(await reader.next(wide)));
    expect(found.map(({ version, offset }) => [version, offset])).toEqual([
      [1, 1],
      [3, 2],
    ]);
  });

  it('gives the offsets of an append that was taken back to the next one', async () => {
    const log = await openLog();
    const { logId } = await log.open();
    const given = db.transaction(async (session) => {
      await session.query(appendBatch([{ partition: 0, record: newRecord('a') }], logId, 'other'));
      throw new Error('crash');
    });
    await expect(given).rejects.toThrow('crash');
    expect(await log.append(newRecord(certnameOf(0, 2)))).toEqual({ partition: 0, offset: 1 });
  });

  it('loses and doubles nothing while instances append and read at once', async () => {
    const logs = await Promise.all([
      openLog({ partitions: 3 }),
      openLog({ partitions: 3 }),
      openLog({ partitions: 3 }),
    ]);
    const reader = logs[0].reader(allOf(3));
    const appending = logs.map(async (log, which) => {
      for (let round = 0; round < 25; round++) {
        await Promise.all(
          Array.from({ length: 8 }, (_, n) => log.append(newRecord(`node-${which}-${n}`, { version: round }))),
        );
      }
    });
    const records = await readRecords(reader, 600, { maxRecords: 20, maxBytes: 1 << 20 });
    await Promise.all(appending);
    expect(new Set(records.map(({ uuid }) => uuid)).size).toBe(600);
    const next = allOf(3);
    for (const { partition, offset } of records) {
      expect(offset).toBe(next.get(partition));
      next.set(partition, offset + 1);
    }
  });

  it('rejects the one record that cannot be stored, not its batch', async () => {
    const log = await openLog();
    const appends = Array.from({ length: 20 }, (_, n) =>
      log.append(newRecord(`node-${n}`, n === 13 ? { uuid: 'no uuid' } : { version: n })),
    );
    const outcomes = await Promise.allSettled(appends);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(outcomes.map((_, n) => n !== 13));
    expect(outcomes[13]).toMatchObject({ reason: { kind: 'malformed', code: 'log.unstorable' } });
    expect((await readRecords(log.reader(allOf(2)), 19)).map(({ version }) => version)).not.toContain(13);
  });

  it.each(['nul \0', 'half \ud83d', '\ude00 half'])('rejects the certname %j at once', async (certname) => {
    const log = await openLog();
    await expect(log.append(newRecord(certname))).rejects.toMatchObject({ code: 'log.unstorable' });
  });

  it('refuses more than it may hold back, and takes it again later', async () => {
    const log = await openLog({ waitingBytes: 10_000, batchBytes: 4_000 });
    const payload = randomBytes(3_000);
    const appends = Array.from({ length: 6 }, () => log.append(newRecord('a', { payload })));
    const outcomes = await Promise.allSettled(appends);
    expect(outcomes.map(({ status }) => status)).toEqual([
      ...Array<string>(3).fill('fulfilled'),
      ...Array<string>(3).fill('rejected'),
    ]);
    expect(outcomes[5]).toMatchObject({ reason: { kind: 'busy', code: 'log.full' } });
    expect(await log.append(newRecord('a', { payload: randomBytes(30_000) }))).toMatchObject({ offset: 4 });
  });

  it('goes on with another connection where the one it had was cut while nobody used it', async () => {
    const log = await openLog();
    await log.append(newRecord('a'));
    const others = statement`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                       WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await until(async () => (await db.query(others)).length === 0, { what: 'the end of all connections' });
    // The pool reports the failure of a connection as an event of this connection.
    await until(
      () =>
        log.append(newRecord('b')).then(
          () => true,
          (error: unknown) => {
            expect(error).toMatchObject({ kind: 'busy', code: 'log.unavailable' });
            return false;
          },
        ),
      { what: 'an append' },
    );
    expect(await log.append(newRecord('b'))).toMatchObject({ offset: 2 });
  });

  it('takes partitions in their order, whatever the order of the records: two instances cannot block each other', async () => {
    const { logId } = await (await openLog()).open();
    // The update puts the row of partition 0 behind the row of partition 1 in the table.
    await db.query(statement`UPDATE nodeledger.log_partitions SET next_offset = next_offset WHERE log_partition = 0`);
    let appended: Promise<unknown> | undefined;
    await db.transaction(async (session) => {
      await session.query(statement`SELECT FROM nodeledger.log_partitions WHERE log_partition = 0 FOR UPDATE`);
      const batch = [1, 0].map((partition) => ({ partition, record: newRecord('a') }));
      appended = db.query(appendBatch(batch, logId, 'another'));
      await until(async () => (await db.query(lockWaits)).length > 0, { what: 'an append that waits' });
      expect(
        await db.query(statement`SELECT FROM nodeledger.log_partitions WHERE log_partition = 1 FOR UPDATE SKIP LOCKED`),
      ).toHaveLength(1);
    });
    await appended;
  });

  it('says busy where its connection is cut in the middle, and cannot know what became of it', async () => {
    const log = await openLog();
    let letGo: () => void = () => undefined;
    const locked = db.transaction(async (session) => {
      await session.query(statement`SELECT FROM nodeledger.log_partitions FOR UPDATE`);
      await new Promise<void>((resolve) => (letGo = resolve));
    });
    await until(async () => (await db.query(held)).length > 0, { what: 'the lock' });
    const append = log.append(newRecord('b'));
    append.catch(() => undefined);
    await until(async () => (await db.query(lockWaits)).length > 0, { what: 'an append that waits' });
    await db.query(
      statement`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    await expect(append).rejects.toMatchObject({ kind: 'busy', code: 'log.unavailable' });
    letGo();
    await locked;
    expect(await log.append(newRecord('b'))).toMatchObject({ offset: 1 });
  });

  it('stores what was handed over before it is closed', async () => {
    const log = await openLog();
    const appends = Array.from({ length: 50 }, (_, n) =>
      log.append(newRecord(`node-${n}`, { payload: randomBytes(1000) })),
    );
    await log.close();
    expect((await Promise.allSettled(appends)).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await db.query(statement`SELECT count(*) AS n FROM nodeledger.log_records WHERE log_offset > 0`)).toEqual([
      { n: 50 },
    ]);
  });
});

describe('reading', () => {
  it("hears of another instance's appends by notification: it needs no look at intervals", () =>
    withoutIntervals(async () => {
      const [log, other] = [await openLog(), await openLog()];
      const reader = log.reader(allOf(2));
      const listening = statement`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`;
      await until(async () => (await db.query(listening)).length > 0, { what: 'a connection that listens' });
      for (let n = 0; n < 3; n++) {
        const next = reader.next(wide);
        // Appends records before, during and after the reader's first read.
        await delay(30 * n);
        await other.append(newRecord(`node-${n}`));
        expect(await next).toHaveLength(1);
      }
    }));

  it('gives what is appended in the same process at once: it needs no look at intervals', () =>
    withoutIntervals(async () => {
      const log = await openLog();
      const reader = log.reader(allOf(2));
      for (let n = 0; n < 3; n++) {
        const next = reader.next(wide);
        await delay(30 * n);
        await log.append(newRecord(`node-${n}`));
        expect(await next).toHaveLength(1);
      }
    }));

  it('looks at intervals while somebody reads, and only then', () =>
    withoutIntervals(async () => {
      const log = await openLog();
      for (let round = 0; round < 2; round++) {
        const readers = [log.reader(allOf(2)), log.reader(allOf(2))];
        expect(jest.getTimerCount()).toBe(1);
        for (const reader of readers) await reader.close();
        expect(jest.getTimerCount()).toBe(0);
      }
    }));

  it('finds them by polling where no notification comes', async () => {
    const log = await openLog();
    const { logId } = await log.open();
    const next = log.reader(allOf(2)).next(wide);
    await delay(50);
    await db.query(
      statement`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()`,
    );
    await db.query({ ...appendBatch([{ partition: 0, record: newRecord('a') }], logId, 'other'), name: 'once' });
    expect(await next).toHaveLength(1);
  });

  it('stops loudly at a hole', async () => {
    const log = await openLog({ partitions: 1 });
    for (let n = 0; n < 5; n++) await log.append(newRecord('a'));
    await db.query(statement`DELETE FROM nodeledger.log_records WHERE log_offset = 3`);
    await expect(log.reader(allOf(1)).next(wide)).rejects.toMatchObject({
      code: 'log.gap',
      details: { wanted: 3, found: 4 },
    });
    await expect(log.reader(new Map([[0, 3]])).next({ maxRecords: 1, maxBytes: 1 })).rejects.toMatchObject({
      code: 'log.gap',
    });
    await db.query(statement`DELETE FROM nodeledger.log_records WHERE log_offset > 2`);
    await expect(log.reader(new Map([[0, 3]])).next(wide)).rejects.toMatchObject({ code: 'log.gap' });
  });

  it('stops loudly where the log was replaced under it', async () => {
    const log = await openLog();
    const waiting = log.reader(allOf(2)).next(wide);
    await delay(50);
    await db.query({ text: 'TRUNCATE nodeledger.log_partitions, nodeledger.log_records', values: [] });
    const other = await openLog();
    await expect(waiting).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
    await expect(log.append(newRecord('a'))).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
    expect(await other.append(newRecord('a'))).toMatchObject({ offset: 1 });
  });
});
