/** Tests how the rows of the log store payloads. */
import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Database, migrateControlTables, statement } from '#database';
import { Fleet } from '#fleet';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres';
import { newRecord, readRecords } from '../testing/contract-records';
import type { LogContent } from '../log-content';
import type { LogRecord, NewRecord } from '../record';
import { EmbeddedCommandLog } from './embedded-command-log';
import { insertBaseRecords, insertTailRecords } from './statements';

const wide = { maxRecords: 1000, maxBytes: 64 << 20 };
const begin = new Map([[0, 1]]);
let fresh: FreshDatabase;
let db: Database;
const opened: EmbeddedCommandLog[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 6 });
});
beforeEach(() =>
  db.query({
    text: 'TRUNCATE nodeledger.log_partitions, nodeledger.log_records, nodeledger.log_base_records',
    values: [],
  }),
);
afterEach(async () => {
  for (const log of opened.splice(0)) await log.close();
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
});

function newLog(database = db): EmbeddedCommandLog {
  const log = new EmbeddedCommandLog(database, { partitions: 1 });
  opened.push(log);
  return log;
}

async function openLog(): Promise<EmbeddedCommandLog> {
  const log = newLog();
  await log.open();
  return log;
}

/** Returns for each record of a table the stored bytes of its payload and the recorded length. */
const rowsOf = (table: 'log_records' | 'log_base_records'): Promise<{ bytes: number; plain: number | null }[]> =>
  db.query({
    text: `SELECT octet_length(payload) AS bytes, plain_bytes AS plain FROM nodeledger.${table}
           WHERE log_offset > 0 ORDER BY log_offset`,
    values: [],
  });

async function* given(records: readonly LogRecord[]): AsyncGenerator<LogRecord> {
  yield* records;
}

describe('a plain document', () => {
  const fleet = new Fleet('stored payloads');
  const startTime = new Date('2031-02-03T04:00:00Z');
  const documents = [0, 1].flatMap((node) =>
    [0, 1].flatMap((run) => {
      const { facts, catalog, report } = fleet.run(node, run, { startTime });
      return [facts, catalog, report].map(({ text }) => Buffer.from(text));
    }),
  );
  const compressed = documents.reduce((sum, text) => sum + gzipSync(text).length, 0);
  const total = (rows: readonly { bytes: number }[]): number => rows.reduce((sum, { bytes }) => sum + bytes, 0);

  it('takes about as much as a compressed one, in the tail, in a base and in a restored log', async () => {
    const log = await openLog();
    for (const payload of documents) await log.append(newRecord('a', { payload }));
    expect(total(await rowsOf('log_records')) / compressed).toBeLessThan(1.1);
    const records = await readRecords(log.reader(begin), documents.length);
    const tails = new Map([[0, documents.length]]);
    await (await log.prepareBase(tails, given(records.slice(0, -1)))).commit();
    await log.truncate();
    expect(total([...(await rowsOf('log_base_records')), ...(await rowsOf('log_records'))]) / compressed).toBeLessThan(
      1.1,
    );

    await db.query({ text: 'TRUNCATE nodeledger.log_partitions', values: [] });
    const content: LogContent = {
      identity: { logId: randomUUID(), partitions: 1 },
      tails,
      ends: new Map([[0, documents.length + 1]]),
      base: () => given(records.slice(0, -1)),
      tail: () => given(records.slice(-1)),
    };
    await newLog().restore(content);
    expect(total([...(await rowsOf('log_base_records')), ...(await rowsOf('log_records'))]) / compressed).toBeLessThan(
      1.1,
    );
    const again = await readRecords((await openLog()).reader(begin), documents.length);
    again.forEach(({ payload }, index) => expect(payload.equals(documents[index] as Buffer)).toBe(true));
  });

  it('is not compressed again when a base is written', async () => {
    const log = await openLog();
    const payload = documents[0] as Buffer;
    await log.append(newRecord('a', { payload }));
    // Compresses at a level that the log does not use.
    const stored = gzipSync(payload, { level: 1 });
    await db.query(statement`UPDATE nodeledger.log_records SET payload = ${stored} WHERE log_offset = 1`);
    const records = await readRecords(log.reader(begin), 1);
    await (await log.prepareBase(new Map([[0, 2]]), given(records))).commit();
    expect(await rowsOf('log_base_records')).toEqual([{ bytes: stored.length, plain: payload.length }]);
  });
});

it('a restore removes the records that an interrupted restore left', async () => {
  const content: LogContent = {
    identity: { logId: randomUUID(), partitions: 1 },
    tails: new Map([[0, 3]]),
    ends: new Map([[0, 4]]),
    base: () => given([{ ...newRecord('a'), partition: 0, offset: 1 }]),
    tail: () => given([{ ...newRecord('a'), partition: 0, offset: 3 }]),
  };
  await db.query(insertTailRecords([{ ...newRecord('a'), partition: 0, offset: 2 }]));
  await db.query(insertBaseRecords(7, [{ ...newRecord('a'), partition: 0, offset: 2 }]));
  await newLog().restore(content);
  expect([await rowsOf('log_base_records'), await rowsOf('log_records')]).toMatchObject([{ length: 1 }, { length: 1 }]);
});

it('what came compressed, what is small and what cannot be made smaller is stored as it came', async () => {
  const log = await openLog();
  const text = Buffer.from('["text"]'.repeat(1_000));
  const payloads: Pick<NewRecord, 'payload' | 'encoding'>[] = [
    { payload: gzipSync(text), encoding: 'gzip' },
    { payload: text.subarray(0, 1_023), encoding: 'identity' },
    { payload: Buffer.alloc(0), encoding: 'identity' },
    { payload: randomBytes(5_000), encoding: 'identity' },
  ];
  for (const how of payloads) await log.append(newRecord('a', how));
  const rows = await rowsOf('log_records');
  expect(rows).toEqual(payloads.map(({ payload }) => ({ bytes: payload.length, plain: null })));
});

it('a restore is refused if a service makes a log meanwhile', async () => {
  const content: LogContent = {
    identity: { logId: randomUUID(), partitions: 1 },
    tails: new Map([[0, 1]]),
    ends: new Map([[0, 1]]),
    base: () => given([]),
    tail: async function* () {
      await openLog();
      yield* [];
    },
  };
  await expect(newLog().restore(content)).rejects.toMatchObject({ code: 'log.not-empty' });
});

describe('a damaged payload', () => {
  const payload = Buffer.from('["text"]'.repeat(20_000));

  it.each([
    ['is no gzip stream', `payload = '\\x00'`],
    ['ends too early', 'payload = substring(payload FROM 1 FOR 100)'],
    [
      'has another checksum',
      'payload = set_byte(payload, octet_length(payload) - 5, get_byte(payload, octet_length(payload) - 5) # 1)',
    ],
    ['is longer than its row says', 'plain_bytes = plain_bytes - 1'],
    ['is shorter than its row says', 'plain_bytes = plain_bytes + 1'],
    ['is said to be very long', 'plain_bytes = 2147483647'],
    ['is said to be very short', 'plain_bytes = 1'],
    ['is said to be of less than nothing', 'plain_bytes = -5'],
  ])('that %s stops the reader and names the place', async (_title, damage) => {
    const log = new EmbeddedCommandLog(db, { partitions: 1 });
    opened.push(log);
    await log.open();
    for (let n = 0; n < 3; n++) await log.append(newRecord('a', { payload }));
    await db.query({ text: `UPDATE nodeledger.log_records SET ${damage} WHERE log_offset = 2`, values: [] });
    const fault = { kind: 'broken', code: 'log.foreign', details: { partition: 0, offset: 2 } };
    const reader = log.reader(begin);
    expect(await reader.next({ ...wide, maxRecords: 1 })).toHaveLength(1);
    await expect(reader.next({ ...wide, maxRecords: 1 })).rejects.toMatchObject(fault);
    await expect(log.lookUp([{ partition: 0, offset: 2 }], 1)).rejects.toMatchObject(fault);
    expect(await log.lookUp([{ partition: 0, offset: 3 }], 1)).toHaveLength(1);
  });
});
