import { Database, migrateControlTables, statement } from '#database';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres';
import { until } from '../../../test/support/until';
import type { LogRecord } from '../record';
import { certnameOf, newRecord, readRecords } from '../testing/contract-records';
import { EmbeddedCommandLog, type EmbeddedCommandLogOptions } from './embedded-command-log';

const wide = { maxRecords: 1000, maxBytes: 64 << 20 };
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

describe('a base', () => {
  const seven = new Map([
    [0, 7],
    [1, 7],
  ]);
  async function filled(): Promise<EmbeddedCommandLog> {
    const log = await openLog();
    for (let n = 0; n < 20; n++) await log.append(newRecord(certnameOf(n % 2, 2), { version: n }));
    return log;
  }
  async function* every(log: EmbeddedCommandLog, step: number): AsyncGenerator<LogRecord> {
    const reader = log.reader(allOf(2));
    for (const record of await readRecords(reader, 20)) {
      if (record.offset < 7 && record.offset % step === 0) yield record;
    }
    await reader.close();
  }
  /** Returns the records that a new process reads. */
  async function positions(): Promise<string[]> {
    const log = await openLog();
    const reader = log.reader((await log.extent()).starts);
    const found: string[] = [];
    const ends = new Set<number>();
    while (ends.size < 2) {
      for (const record of await reader.next(wide, AbortSignal.timeout(10_000))) {
        found.push(`${record.partition}:${record.offset}`);
        if (record.offset === 10) ends.add(record.partition);
      }
    }
    await reader.close();
    return found.sort();
  }
  const tail = [0, 1].flatMap((partition) => [10, 7, 8, 9].map((offset) => `${partition}:${offset}`));
  const all = [0, 1].flatMap((partition) => [1, 2, 3, 4, 5, 6].map((offset) => `${partition}:${offset}`)).concat(tail);
  const even = [0, 1].flatMap((partition) => [2, 4, 6].map((offset) => `${partition}:${offset}`)).concat(tail);
  const countRows = async (table: string): Promise<unknown> =>
    (await db.query({ text: `SELECT count(*)::int AS n FROM nodeledger.${table}`, values: [] }))[0];

  beforeEach(() => db.query({ text: 'TRUNCATE nodeledger.log_base_records', values: [] }));

  it('that holds nothing is passed from the very beginning, and from no place below the tail', async () => {
    const log = await filled();
    const base = await log.prepareBase(seven, every(log, 7));
    await base.commit();
    await log.truncate();
    const begin = new Map([...seven.keys()].map((partition) => [partition, 0]));
    const found = await readRecords((await openLog()).reader(begin), 8);
    expect(found.map(({ partition, offset }) => `${partition}:${offset}`).sort()).toEqual(tail.sort());
    await expect((await openLog()).reader(allOf(2)).next(wide)).rejects.toMatchObject({ code: 'log.before-base' });
  });

  it('that was prepared when the process died is nothing, and is cleared away', async () => {
    const log = await filled();
    await log.prepareBase(seven, every(log, 2));
    expect(await positions()).toEqual(all.sort());
    await (await openLog()).truncate();
    expect(await countRows('log_base_records')).toEqual({ n: 0 });
    expect(await positions()).toEqual(all.sort());
  });

  it('that was put in force when the process died is what is read; the rest is removed later', async () => {
    const log = await filled();
    await (await log.prepareBase(seven, every(log, 2))).commit();
    expect(await positions()).toEqual(even.sort());
    expect(await countRows('log_records')).toEqual({ n: 22 });
    // Simulates a removal that has deleted only some records.
    await db.query({ text: 'DELETE FROM nodeledger.log_records WHERE log_offset IN (1, 2, 3)', values: [] });
    expect(await positions()).toEqual(even.sort());
    await (await openLog()).truncate();
    expect(await countRows('log_records')).toEqual({ n: 10 });
    expect(await positions()).toEqual(even.sort());
  });

  it('is not put in force where another one was, where it is not whole, or where it would end elsewhere', async () => {
    const log = await filled();
    const some: LogRecord[] = [];
    for await (const record of every(log, 2)) some.push(record);
    const [first, second, third] = [
      await log.prepareBase(seven, every(log, 2)),
      await log.prepareBase(seven, every(log, 3)),
      await log.prepareBase(new Map([...seven].map(([partition]) => [partition, 99])), every(log, 2)),
    ];
    await expect(third.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base' });
    await second.commit();
    await expect(first.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base' });
    await second.discard();
    expect(await countRows('log_base_records')).toEqual({ n: 6 + 4 + 6 });
    const late = await log.prepareBase(
      seven,
      (async function* () {
        yield* some;
      })(),
    );
    await (await openLog()).truncate();
    await expect(late.commit()).rejects.toMatchObject({ kind: 'conflict', code: 'log.base' });
    expect(await positions()).toEqual(['0:3', '0:6', '1:3', '1:6', ...tail].sort());
  });

  it('is not put in force where a single partition has become that of another log', async () => {
    const log = await filled();
    const base = await log.prepareBase(seven, every(log, 2));
    await db.query(statement`UPDATE nodeledger.log_partitions SET log_id = gen_random_uuid() WHERE log_partition = 1`);
    await expect(base.commit()).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
    expect(await db.query(statement`SELECT DISTINCT base FROM nodeledger.log_partitions`)).toEqual([{ base: 0 }]);
  });

  it('gives the room of what is removed back to the disk', async () => {
    const vacuums = async (): Promise<number> => {
      const [row] = await db.query<{ n: number }>(statement`SELECT vacuum_count AS n FROM pg_stat_user_tables
        WHERE schemaname = 'nodeledger' AND relname = 'log_records'`);
      return row?.n ?? 0;
    };
    const log = await filled();
    const before = await vacuums();
    await (await log.prepareBase(seven, every(log, 2))).commit();
    await log.truncate();
    await until(async () => (await vacuums()) > before, { what: 'a vacuum' });
  });

  it('knows no place but those of its records', async () => {
    const log = await filled();
    await (await log.prepareBase(seven, every(log, 2))).commit();
    const next = (offset: number): Promise<LogRecord[]> => log.reader(new Map([[0, offset]])).next(wide);
    expect((await next(0))[0]).toMatchObject({ offset: 2, next: 4 });
    expect((await next(4))[0]).toMatchObject({ offset: 4, next: 6 });
    for (const offset of [1, 3]) await expect(next(offset)).rejects.toMatchObject({ code: 'log.before-base' });
  });

  it('whose records go while it is read is no end of it', async () => {
    const log = await filled();
    await (await log.prepareBase(seven, every(log, 2))).commit();
    const reader = log.reader(new Map([[0, 2]]));
    expect(await reader.next({ maxRecords: 1, maxBytes: 1e6 })).toMatchObject([{ offset: 2 }]);
    await db.query({ text: 'DELETE FROM nodeledger.log_base_records WHERE log_offset = 4', values: [] });
    await expect(reader.next(wide)).rejects.toMatchObject({ kind: 'broken', code: 'log.gap' });
  });
});
