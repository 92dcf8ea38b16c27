/** Tests how new records reach the readers of the same process, and how many statements that takes. */
import { setTimeout as delay } from 'node:timers/promises';
import { Database, migrateControlTables, statement, type Sql } from '#database';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres';
import { until } from '../../../test/support/until';
import { withoutIntervals } from '../../../test/support/without-intervals';
import { newRecord } from '../testing/contract-records';
import type { LogReader } from '../command-log';
import type { LogRecord } from '../record';
import { EmbeddedCommandLog } from './embedded-command-log';
import { stays } from '../../../test/support/until';

const wide = { maxRecords: 1000, maxBytes: 64 << 20 };
const allOf = (partitions: number): Map<number, number> =>
  new Map(Array.from({ length: partitions }, (_, partition) => [partition, 1]));

let fresh: FreshDatabase;
let db: Database;
let log: EmbeddedCommandLog;
/**
 * Counts, since the log was opened, of requests for the ends of the partitions, of other statements, and of reads of
 * the table.
 */
let statements: { ends: number; other: number; reads: number };
/** Number of answers about ends from the database since the log was opened. */
let answered = 0;
/** While this promise is set, the test holds back answers about ends. */
let kept: Promise<void> | undefined;

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  db = new Database({ connectionString: fresh.connectionString, max: 6 });
  await db.query({ text: 'TRUNCATE nodeledger.log_partitions, nodeledger.log_records', values: [] });
  await opened(1);
});
afterEach(async () => {
  kept = undefined;
  await log.close();
  await db.close();
});

async function opened(partitions: number): Promise<void> {
  statements = { ends: 0, other: 0, reads: 0 };
  answered = 0;
  const counting = Object.create(db, {
    query: {
      value: async (sql: Sql) => {
        statements[sql.name === 'log-partitions' ? 'ends' : 'other'] += 1;
        const rows = await db.query(sql);
        if (sql.name === 'log-partitions') {
          answered += 1;
          await kept;
        }
        return rows;
      },
    },
    copyOut: {
      value: (text: string) => {
        statements.reads += 1;
        return db.copyOut(text);
      },
    },
  }) as Database;
  log = new EmbeddedCommandLog(counting, { partitions });
  await log.open();
  statements = { ends: 0, other: 0, reads: 0 };
  answered = 0;
}

const append = (): Promise<unknown> => log.append(newRecord('a'));
const offsetsOf = (records: readonly LogRecord[]): number[] => records.map(({ offset }) => offset);
const next = (reader: LogReader, limits = wide): Promise<LogRecord[]> =>
  reader.next(limits, AbortSignal.timeout(30_000));

it('asks nothing for a reader that is given up before it begins', async () => {
  expect(await log.reader(allOf(1)).next(wide, AbortSignal.abort())).toEqual([]);
  expect(statements).toEqual({ ends: 0, other: 0, reads: 0 });
});

it('is not forgotten because of an answer that is older', () =>
  withoutIntervals(async () => {
    const reader = log.reader(allOf(1));
    await append();
    expect(offsetsOf(await next(reader))).toEqual([1]);
    let letGo: () => void = () => undefined;
    kept = new Promise((resolve) => (letGo = resolve));
    const looking = log.extent();
    await until(() => Promise.resolve(statements.ends === 2), { what: 'a question' });
    await until(() => Promise.resolve(answered === 2), { what: 'the answer, as it was before the append' });
    await append();
    letGo();
    await looking;
    expect(offsetsOf(await next(reader))).toEqual([2]);
  }));

it('asks one question at a time; who comes meanwhile waits for one more, which all of them share', async () => {
  for (let round = 1; round <= 2; round++) {
    let letGo: () => void = () => undefined;
    kept = new Promise((resolve) => (letGo = resolve));
    const looking = Array.from({ length: 5 }, () => log.extent());
    await delay(50);
    expect(statements.ends).toBe(2 * round - 1);
    kept = undefined;
    letGo();
    await Promise.all(looking);
    expect(statements.ends).toBe(2 * round);
  }
});

it('stops readers where a single partition has become that of another log', async () => {
  await log.close();
  await db.query({ text: 'TRUNCATE nodeledger.log_partitions, nodeledger.log_records', values: [] });
  await opened(2);
  const waiting = next(log.reader(allOf(2)));
  waiting.catch(() => undefined);
  await delay(50);
  await db.query(statement`UPDATE nodeledger.log_partitions SET log_id = gen_random_uuid() WHERE log_partition = 1`);
  await expect(waiting).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
});

describe('a log', () => {
  const listeners = async (): Promise<number> =>
    (
      await db.query(statement`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`)
    ).length;

  it('listens once for all its readers, and not when it is closed', async () => {
    for (let n = 0; n < 3; n++) log.reader(allOf(1));
    await until(async () => (await listeners()) > 0, { what: 'a connection that listens' });
    await stays(async () => (await listeners()) === 1, { forMs: 200, what: 'a single connection that listens' });
    await log.close();
    await until(async () => (await listeners()) === 0, { what: 'the end of listening' });
  });

  it('is closed when what was handed over is stored and nothing is asked any more', async () => {
    const appends = [append(), append()];
    await log.close();
    expect(await db.query(statement`SELECT FROM nodeledger.log_records WHERE log_offset > 0`)).toHaveLength(2);
    await Promise.all(appends);
    log = new EmbeddedCommandLog(db, { partitions: 1 });
    await log.open();
    let isClosed = false;
    await withoutIntervals(async () => {
      let closing: Promise<unknown> | undefined;
      await db.transaction(async (session) => {
        await session.query(statement`LOCK TABLE nodeledger.log_partitions`);
        // A reader waits for records while a request for the ends takes a long time.
        const reading = log.reader(allOf(1)).next(wide);
        closing = Promise.all([log.close().then(() => (isClosed = true)), reading]);
        await stays(() => !isClosed, { forMs: 200, what: 'the wait of close' });
      });
      await closing;
      expect(jest.getTimerCount()).toBe(0);
    });
    expect(isClosed).toBe(true);
  });

  it.each([0, -1, 1.5, NaN])('cannot have %d partitions', async (partitions) => {
    await db.query({ text: 'TRUNCATE nodeledger.log_partitions, nodeledger.log_records', values: [] });
    await expect(new EmbeddedCommandLog(db, { partitions }).open()).rejects.toMatchObject({
      kind: 'malformed',
      code: 'log.partitions',
    });
  });
});
