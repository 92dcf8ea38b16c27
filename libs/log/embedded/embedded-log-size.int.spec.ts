import { randomBytes } from 'node:crypto';
import { Database, migrateControlTables } from '#database';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres';
import { newRecord } from '../testing/contract-records';
import { EmbeddedCommandLog } from './embedded-command-log';
import { embeddedLogSize } from './embedded-log-size';
import { embeddedLogUse } from './embedded-log-use';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

let fresh: FreshDatabase;
let db: Database;
let log: EmbeddedCommandLog;
beforeEach(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 3 });
  log = new EmbeddedCommandLog(db, { partitions: 3 });
  await log.open();
});
afterEach(async () => {
  await log.close();
  await db.close();
  await fresh.drop();
});

const append = async (count: number, receivedAt: number): Promise<void> => {
  for (let n = 0; n < count; n++) {
    await log.append(newRecord(`node-${n}`, { receivedAt, payload: Buffer.alloc(2_000, 'x') }));
  }
};
/** Sets the time of the headers, which is the time when the log began. */
const beginAt = (time: number): Promise<unknown> =>
  db.query({ text: 'UPDATE nodeledger.log_records SET received_at = $1 WHERE log_offset = 0', values: [time] });

test('a log without records has a size and no growth', async () => {
  const size = await embeddedLogSize(db);
  expect(size.bytes).toBeGreaterThan(0);
  expect(size).toMatchObject({ recordBytes: 0, bytesPerDay: undefined });
});

test('the growth of a day is that of the records of the last 24 hours', async () => {
  const now = Date.now();
  await beginAt(now - 10 * dayMs);
  await append(70, now - 5 * dayMs);
  await append(30, now - dayMs + 1);
  const { bytes, recordBytes, bytesPerDay } = await embeddedLogSize(db, now);
  expect(recordBytes * 100).toBeCloseTo(bytes, -5);
  expect(bytesPerDay).toBeCloseTo(recordBytes * 30, 3);
  expect((await embeddedLogSize(db, now + 2 * dayMs)).bytesPerDay).toBe(0);
});

test('what the log uses shrinks with its records, although its files keep the room', async () => {
  for (let n = 0; n < 30; n++) {
    await log.append(newRecord(`node-${n}`, { payload: randomBytes(20_000) }));
  }
  await db.query({ text: 'ANALYZE nodeledger.log_records', values: [] });
  const before = await embeddedLogUse(db);
  expect(before.bytes).toBeGreaterThan(30 * 20_000);
  expect(before.bytes).toBeLessThan(30 * 22_000);
  const { ends } = await log.extent();
  const base = await log.prepareBase(
    new Map([...ends].map(([partition, end]) => [partition, Math.max(1, end - 2)])),
    (async function* () {})(),
  );
  await base.commit();
  await log.truncate();
  const after = await embeddedLogUse(db);
  expect(after.bytes).toBeLessThan(before.bytes / 3);
  expect(after.tailBytes).toBe(after.bytes);
});

test('the history begins with the oldest record of the tail', async () => {
  expect((await embeddedLogSize(db)).since).toBeUndefined();
  const now = Date.now();
  await append(1, now - 5_000);
  await append(5, now);
  expect((await embeddedLogSize(db)).since).toBe(now - 5_000);
});

test('the growth of a younger log counts from its beginning, after an hour', async () => {
  const now = Date.now();
  await beginAt(now - 6 * hourMs);
  await append(20, now - 5 * hourMs);
  const { recordBytes, bytesPerDay } = await embeddedLogSize(db, now);
  expect(bytesPerDay).toBeCloseTo(recordBytes * 20 * 4, 3);
  await beginAt(now - hourMs + 1);
  expect((await embeddedLogSize(db, now)).bytesPerDay).toBeUndefined();
});

test('finds the records of the last day without reading the others', async () => {
  const now = Date.now();
  await beginAt(now - 100 * dayMs);
  // Each partition gets a record every ten seconds, so 8,640 records in each partition are from the last day.
  await db.query({
    text: `INSERT INTO nodeledger.log_records
             (log_partition, log_offset, uuid, command, version, certname, received_at, encoding, headers, payload)
           SELECT p, n, gen_random_uuid(), 'replace facts', 5, 'node', $1::bigint - (30000 - n) * 10000, 'identity', '{}', ''
           FROM generate_series(0, 2) p, generate_series(1, 30000) n`,
    values: [now],
  });
  await db.query({ text: 'UPDATE nodeledger.log_partitions SET next_offset = 30001', values: [] });
  await db.query({ text: 'ANALYZE nodeledger.log_records', values: [] });
  const session = await db.session();
  try {
    const rowsRead = async (): Promise<number> => {
      await session.query({ text: 'SELECT pg_stat_force_next_flush()', values: [] });
      const [row] = await session.query<{ rows: number }>({
        text: `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_user_tables WHERE relname = 'log_records'`,
        values: [],
      });
      return row?.rows ?? 0;
    };
    const before = await rowsRead();
    const { recordBytes, bytesPerDay } = await embeddedLogSize(session, now);
    expect(bytesPerDay).toBeCloseTo(recordBytes * 3 * 8_641, 3);
    const read = (await rowsRead()) - before;
    expect(read).toBeGreaterThan(3);
    expect(read).toBeLessThan(100);
  } finally {
    session.close();
  }
});
