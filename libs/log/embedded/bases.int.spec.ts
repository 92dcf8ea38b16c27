import { randomUUID } from 'node:crypto';
import { Database, migrateControlTables, type Sql } from '#database';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres';
import { withoutIntervals } from '../../../test/support/without-intervals';
import { newRecord, readRecords } from '../testing/contract-records';
import type { LogRecord } from '../record';
import { removeSuperseded, writeBase } from './bases';
import { EmbeddedCommandLog } from './embedded-command-log';

const wide = { maxRecords: 1000, maxBytes: 64 << 20 };
const one = { ...wide, maxRecords: 1 };
let fresh: FreshDatabase;
let db: Database;
let log: EmbeddedCommandLog;

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  db = new Database({ connectionString: fresh.connectionString, max: 6 });
  await db.query({
    text: 'TRUNCATE nodeledger.log_partitions, nodeledger.log_records, nodeledger.log_base_records',
    values: [],
  });
  log = new EmbeddedCommandLog(db, { partitions: 1 });
  await log.open();
});
afterEach(async () => {
  await log.close();
  await db.close();
});

const record = (offset: number, bytes = 1): LogRecord => ({
  ...newRecord('a', { uuid: randomUUID(), payload: Buffer.alloc(bytes), encoding: 'gzip' }),
  ...{ partition: 0, offset },
});
async function* records(count: number, bytes?: number): AsyncGenerator<LogRecord> {
  for (let offset = 1; offset <= count; offset++) yield record(offset, bytes);
}
const stored = async (): Promise<number> =>
  (await db.query({ text: 'SELECT FROM nodeledger.log_base_records', values: [] })).length;

/** Returns a database, and a list of the statements that it receives. */
function watched(): { db: Database; statements: Sql[] } {
  const statements: Sql[] = [];
  const watching = Object.create(db, {
    query: {
      value: (sql: Sql) => {
        statements.push(sql);
        return db.query(sql);
      },
    },
  }) as Database;
  return { db: watching, statements };
}

describe('a base is written in portions', () => {
  const portions = async (given: AsyncIterable<LogRecord>): Promise<number[]> => {
    const { db: watching, statements } = watched();
    const host = { reader: () => log.reader(new Map()), committed: () => Promise.resolve() };
    const { logId } = await log.open();
    const base = await writeBase(watching, { logId, tails: new Map([[0, 1]]), records: given }, host);
    const sizes = statements
      .filter(({ name }) => name === 'log-base-insert')
      .map(({ values }) => (values[0] as Buffer).length);
    await base.discard();
    return sizes;
  };

  it.each([
    [9, 2 << 20, [8 << 20, 8 << 20, 2 << 20]],
    [2, 9 << 20, [9 << 20, 9 << 20]],
    [2_001, 1, [1_000, 1_000, 1]],
    [1_000, 1, [1_000]],
    [0, 1, []],
  ])('%d records of %d bytes', async (count, bytes, expected) => {
    expect(await portions(records(count, bytes))).toEqual(expected);
    // An abandoned base leaves no rows.
    expect(await stored()).toBe(0);
  });
});

it('a base whose records end with an error leaves nothing', async () => {
  const failing = (async function* () {
    yield* records(1_500);
    throw new Error('lost');
  })();
  await expect(log.prepareBase(new Map([[0, 1]]), failing)).rejects.toThrow('lost');
  expect(await stored()).toBe(0);
});

it('a base is put in force once', async () => {
  for (let n = 0; n < 4; n++) await log.append(newRecord('a'));
  const base = await log.prepareBase(new Map([[0, 3]]), records(2));
  await base.commit();
  await expect(base.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base' });
  const further = await log.prepareBase(new Map([[0, 2]]), records(1));
  await expect(further.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base' });
});

it('a base that ends in other partitions than those of the log is not put in force', async () => {
  const base = await log.prepareBase(new Map([[5, 1]]), records(0));
  await expect(base.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base' });
});

it('a base that another instance puts in force is known at once to whoever asks where the log begins', () =>
  withoutIntervals(async () => {
    for (let n = 0; n < 4; n++) await log.append(newRecord('a'));
    const other = new EmbeddedCommandLog(db, { partitions: 1 });
    await other.open();
    await (await log.prepareBase(new Map([[0, 4]]), records(0))).commit();
    expect((await other.extent()).starts).toEqual(new Map([[0, 4]]));
    await other.close();
  }));

it('what is superseded is removed, and only then is there room to give back', async () => {
  const vacuums = async (): Promise<string[]> => {
    const { db: watching, statements } = watched();
    await removeSuperseded(watching);
    return statements.map(({ text }) => text).filter((text) => text.startsWith('VACUUM'));
  };
  for (let n = 0; n < 4; n++) await log.append(newRecord('a'));
  expect(await vacuums()).toEqual([]);
  await (await log.prepareBase(new Map([[0, 4]]), records(3))).commit();
  expect(await vacuums()).toEqual(['VACUUM nodeledger.log_records']);
  await (await log.prepareBase(new Map([[0, 5]]), records(3))).commit();
  expect(await vacuums()).toEqual(['VACUUM nodeledger.log_records', 'VACUUM nodeledger.log_base_records']);
  expect([await vacuums(), await stored()]).toEqual([[], 3]);
});

describe('a reader', () => {
  beforeEach(async () => {
    for (let n = 0; n < 9; n++) await log.append(newRecord('a', { version: n + 1 }));
  });
  const offsetsOf = (found: readonly LogRecord[]): number[] => found.map(({ offset }) => offset);
  async function* odd(): AsyncGenerator<LogRecord> {
    for await (const found of records(6)) if (found.offset % 2 === 1) yield found;
  }

  it('goes on in a base that comes into force while it reads what the base replaces', () =>
    withoutIntervals(async () => {
      const reader = log.reader(new Map([[0, 1]]));
      expect(offsetsOf(await reader.next({ ...wide, maxRecords: 2 }))).toEqual([1, 2]);
      await (await log.prepareBase(new Map([[0, 7]]), odd())).commit();
      await log.truncate();
      expect(offsetsOf(await readRecords(reader, 5))).toEqual([3, 5, 7, 8, 9]);
    }));

  it('takes a base in portions, each record with the one that follows', async () => {
    await (await log.prepareBase(new Map([[0, 7]]), odd())).commit();
    const reader = log.reader(new Map([[0, 0]]));
    const found: unknown[] = [];
    for (let n = 0; n < 4; n++) found.push(...(await reader.next(one)).map(({ offset, next }) => [offset, next]));
    expect(found).toEqual([
      [1, 3],
      [3, 5],
      [5, 7],
      [7, undefined],
    ]);
  });

  it.each([0, 1])('from %d stops at a hole in a base', async (start) => {
    await (await log.prepareBase(new Map([[0, 7]]), records(6))).commit();
    const reader = log.reader(new Map([[0, start]]));
    expect(offsetsOf(await reader.next(one))).toEqual([1]);
    await db.query({ text: 'DELETE FROM nodeledger.log_base_records WHERE log_offset = 2', values: [] });
    await expect(reader.next(wide)).rejects.toMatchObject({
      ...{ kind: 'broken', code: 'log.gap', message: expect.stringContaining('offset 3 follows') as string },
      details: { partition: 0, wanted: 2, found: 3 },
    });
  });

  it.each([0, 1])('from %d stops where the rest of a base is gone', async (start) => {
    await (await log.prepareBase(new Map([[0, 7]]), records(6))).commit();
    const reader = log.reader(new Map([[0, start]]));
    expect(offsetsOf(await reader.next(one))).toEqual([1]);
    await db.query({ text: 'DELETE FROM nodeledger.log_base_records WHERE log_offset > 1', values: [] });
    await expect(reader.next(wide)).rejects.toMatchObject({
      ...{ kind: 'broken', code: 'log.gap', message: expect.stringContaining('nothing follows') as string },
      details: { partition: 0, wanted: 2, found: undefined },
    });
  });
});
