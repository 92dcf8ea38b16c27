import { randomUUID } from 'node:crypto';
import { Database, Generations, migrateControlTables } from '#database';
import type { LogRecord } from '#log';
import { projectionVersion } from '#projections';
import { MemoryCommandLog } from '../../libs/log/testing/memory-command-log';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { type CheckedLog, expectedLogId, liveGeneration } from './live-generation';

const records = 6;
let fresh: FreshDatabase;
let db: Database;
let generations: Generations;
let log: MemoryCommandLog;
let checked: CheckedLog;

beforeEach(async () => {
  remade = 0;
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 3 });
  generations = new Generations(db);
  log = new MemoryCommandLog({ partitions: 1 });
  checked = { log, identity: await log.open(), topic: undefined };
  for (let n = 0; n < records; n++) {
    const common = { command: 'replace facts', version: 5, encoding: 'identity', receivedAt: n } as const;
    await log.append({ ...common, uuid: randomUUID(), certname: `n${n}`, payload: Buffer.from('{}') });
  }
});
afterEach(async () => {
  await log.close();
  await db.close();
  await fresh.drop();
});

const sql = (text: string, ...values: unknown[]): Promise<unknown[]> => db.query({ text, values });
let remade: number;
const remake = async (): Promise<void> => {
  remade += 1;
  await sql('UPDATE nodeledger.generations SET projection_version = $1', projectionVersion);
};
const start = (fills = true, on = checked) =>
  liveGeneration(db, generations, on, { keepsPast: true }, fills ? remake : undefined);
const moveTo = (offset: number) => sql('UPDATE nodeledger.positions SET next_offset = $1', offset);

/** Removes all records before the offset `tail`, except the records at the offsets in `kept`. */
async function snapshot(tail: number, kept: readonly number[]): Promise<void> {
  const reader = log.reader(new Map([[0, 1]]));
  const all = await reader.next({ maxRecords: records, maxBytes: 1e6 });
  await reader.close();
  async function* some(): AsyncGenerator<LogRecord> {
    for (const record of all) if (kept.includes(record.offset)) yield record;
  }
  await (await log.prepareBase(new Map([[0, tail]]), some())).commit();
  await log.truncate();
}

test('the first start makes tables that begin where the log does', async () => {
  expect(await expectedLogId(db, generations)).toBeUndefined();
  await snapshot(5, [2, 4]);
  const made = await start();
  expect(made).toMatchObject({ projectionVersion });
  expect(await sql('SELECT next_offset FROM nodeledger.positions')).toEqual([{ next_offset: 2 }]);
  expect(await expectedLogId(db, generations)).toBe(checked.identity.logId);
  expect(await start()).toEqual(made);
});

test('a position below the tail has to be a place of the base', async () => {
  await start();
  await snapshot(5, [2, 4]);
  for (const offset of [2, 4, 5, 7]) {
    await moveTo(offset);
    await expect(start()).resolves.toBeDefined();
  }
  for (const offset of [1, 3]) {
    await moveTo(offset);
    await expect(start()).rejects.toMatchObject({
      code: 'server.below-tail',
      message: expect.stringContaining(`continue at offset ${offset} of partition 0`) as string,
      hint: expect.stringContaining('nodeledger rebuild') as string,
    });
  }
});

test('positions past the end, and of another log, are refused; on Kafka with advice about the topic', async () => {
  await start();
  const onKafka = { ...checked, topic: 'some.topic' };
  await moveTo(records + 2);
  const pastEnd = { code: 'server.past-end', message: expect.stringContaining('ends at 6') as string };
  await expect(start()).rejects.toMatchObject({ ...pastEnd, hint: expect.stringContaining('DATABASE_URL') as string });
  await expect(start(true, onKafka)).rejects.toMatchObject({
    ...pastEnd,
    hint: expect.stringContaining('Restore the topic') as string,
  });
  const other = randomUUID();
  await sql('UPDATE nodeledger.positions SET log_id = $1, next_offset = 1', other);
  expect(await expectedLogId(db, generations)).toBe(other);
  const foreign = { code: 'server.foreign-log', message: expect.stringContaining(other) as string };
  await expect(start(false)).rejects.toMatchObject(foreign);
  await expect(start(true, onKafka)).rejects.toMatchObject({
    ...foreign,
    message: expect.stringContaining('topic some.topic') as string,
    hint: expect.stringContaining('NODELEDGER_LOG_TOPIC') as string,
  });
});

test('tables of a newer form are refused, of an older one rebuilt; a process that only writes works with both', async () => {
  const { generation } = await start();
  await sql('UPDATE nodeledger.generations SET projection_version = projection_version + 1');
  await expect(start()).rejects.toMatchObject({ code: 'server.projection-version' });
  await expect(start(false)).resolves.toMatchObject({ generation });
  await sql('UPDATE nodeledger.generations SET projection_version = projection_version - 2');
  await expect(start(false)).resolves.toMatchObject({ generation, projectionVersion: projectionVersion - 1 });
  expect(remade).toBe(0);
  await expect(start()).resolves.toMatchObject({ generation, projectionVersion });
  expect(remade).toBe(1);
});
