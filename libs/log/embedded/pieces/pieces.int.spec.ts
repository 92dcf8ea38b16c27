import { hash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Database, migrateControlTables, statement } from '#database';
import { Fleet } from '#fleet';
import { documentSections } from '../../../wire/document-sections';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/postgres';
import { newRecord, replayed, some } from '../../testing/contract-records';
import { offsetAfter, type LogRecord, type NewRecord, wholeRecord } from '../../record';
import { EmbeddedCommandLog } from '../embedded-command-log';
import type { SplitPayload } from './split-payload';
import { Splitter } from './splitter';

const fleet = new Fleet('pieces');
const startTime = new Date('2026-01-01T00:00:00Z');
const partitions = 2;

let fresh: FreshDatabase;
let db: Database;
let opened: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  db = new Database({ connectionString: fresh.connectionString, max: 8 });
});
afterEach(async () => {
  for (const one of opened) await one.close();
  opened = [];
  await db.close();
  await fresh.drop();
});

const splitting = (): SplitPayload => {
  const splitter = new Splitter(documentSections);
  return { takes: () => true, split: (task) => splitter.split(task) };
};

async function openLog(splitter: SplitPayload | undefined = splitting()): Promise<EmbeddedCommandLog> {
  const log = new EmbeddedCommandLog(db, { partitions, ...(splitter && { splitter }) });
  await log.open();
  opened.push(log);
  return log;
}

/** Returns the commands of a run. Half of them are compressed, because some servers compress their commands. */
const commandsOf = (machine: number, run: number): NewRecord[] =>
  fleet.run(machine, run, { startTime }).sent.map(({ command, version, certname, text }, index) =>
    newRecord(certname, {
      ...{ command, version },
      ...((machine + run + index) % 2 === 0
        ? { payload: Buffer.from(text), encoding: 'identity' }
        : { payload: gzipSync(text), encoding: 'gzip' }),
    }),
  );

const digest = ({ payload, encoding }: Pick<NewRecord, 'payload' | 'encoding'>): string =>
  hash('sha256', encoding === 'gzip' ? gunzipSync(payload) : payload);

/** Remembers the records that were appended. */
class Sent {
  readonly digests = new Map<string, string>();
  bytes = 0;

  async append(log: EmbeddedCommandLog, records: readonly NewRecord[]): Promise<void> {
    await Promise.all(
      records.map(async (record) => {
        this.digests.set(record.uuid, digest(record));
        this.bytes += record.encoding === 'gzip' ? record.payload.length : gzipSync(record.payload).length;
        await log.append(record);
      }),
    );
  }

  /** Checks that every record has the payload that was sent. */
  expectIn(records: readonly LogRecord[], most = Infinity): void {
    expect(records.length).toBe(Math.min(most, this.digests.size));
    for (const record of records)
      expect([record.uuid, digest(record)]).toEqual([record.uuid, this.digests.get(record.uuid)]);
  }
}

const count = async (table: string): Promise<number> => {
  const [row] = await db.query<{ n: number }>({
    text: `SELECT count(*)::int AS n FROM nodeledger.${table}`,
    values: [],
  });
  return row!.n;
};

async function inParts(log: EmbeddedCommandLog): Promise<LogRecord[]> {
  const { starts, ends } = await log.extent();
  const reader = log.reader(starts, { inParts: ['replace catalog', 'replace facts'] });
  const records: LogRecord[] = [];
  const left = new Map([...ends].filter(([partition, end]) => end > starts.get(partition)!));
  while (left.size > 0) {
    for (const record of await reader.next({ maxRecords: 50, maxBytes: 1 << 20 }, AbortSignal.timeout(10_000))) {
      records.push(record);
      if (offsetAfter(record) >= left.get(record.partition)!) left.delete(record.partition);
    }
  }
  await reader.close();
  return records;
}

it('stores sections once, and gives every payload back: from the tail, from a base, restored, and with the parts', async () => {
  const log = await openLog();
  const sent = new Sent();
  for (let run = 0; run < 6; run++) {
    for (let machine = 0; machine < 4; machine++) await sent.append(log, commandsOf(machine, run));
  }
  const all = await replayed(log);
  sent.expectIn(all);
  const [stored] = await db.query<{ bytes: number }>(statement`
    SELECT ((SELECT sum(octet_length(payload)) FROM nodeledger.log_records)
          + (SELECT sum(octet_length(content)) FROM nodeledger.log_pieces)
          + (SELECT sum(octet_length(pieces)) FROM nodeledger.log_sections))::int AS bytes`);
  expect(stored!.bytes).toBeLessThan(sent.bytes / 3);

  const given = await inParts(log);
  expect(given.filter(({ parts }) => parts !== undefined).length).toBeGreaterThan(given.length / 3);
  sent.expectIn(await Promise.all(given.map(wholeRecord)));
  const looked = await log.lookUp(given, 1 << 30);
  sent.expectIn(looked);

  const { ends, ...extent } = await log.extent();
  const base = await log.prepareBase(
    new Map(ends),
    some(given, ({ offset }) => offset % 2 === 1),
  );
  await base.commit();
  await sent.append(log, commandsOf(0, 6));
  await log.truncate();
  expect(await count('log_epochs')).toBe(0);
  const left = await replayed(log);
  const odd = given.filter(({ offset }) => offset % 2 === 1).length;
  sent.expectIn(left, odd + commandsOf(0, 6).length);

  const other = new Database({ connectionString: fresh.connectionString, max: 2 });
  opened.push(other);
  const content = {
    identity: await log.open(),
    tails: (await log.extent()).tails,
    ends: (await log.extent()).ends,
    async *base() {
      for (const record of left) if (record.offset < (ends.get(record.partition) as number)) yield record;
    },
    async *tail() {
      for (const record of left) if (record.offset >= (ends.get(record.partition) as number)) yield record;
    },
  };
  await other.query({ text: 'TRUNCATE nodeledger.log_partitions', values: [] });
  const restored = new EmbeddedCommandLog(other, { partitions, splitter: splitting() });
  await restored.restore(content);
  await restored.open();
  sent.expectIn(await replayed(restored), left.length);
  expect(await count('log_sections')).toBeGreaterThan(0);
  await restored.close();
  expect(extent.starts.size).toBe(partitions);
});

it('stores a record whole if its sections went with an epoch that ended meanwhile', async () => {
  const [first, second] = [await openLog(), await openLog()];
  const sent = new Sent();
  await sent.append(first, commandsOf(0, 0));
  const { ends } = await second.extent();
  const base = await second.prepareBase(
    new Map(ends),
    some(await replayed(second), () => true),
  );
  await base.commit();
  await second.truncate();
  // The first process still assumes that its sections from the ended epoch are stored.
  await sent.append(first, commandsOf(0, 1));
  await sent.append(first, commandsOf(0, 2));
  sent.expectIn(await replayed(first));
  const [row] = await db.query<{ epochs: number[] }>(statement`
    SELECT array_agg(DISTINCT epoch) AS epochs FROM nodeledger.log_records WHERE epoch IS NOT NULL`);
  expect(row!.epochs).toEqual([2]);
});

it('stores a record whole if a section that it relies on is not there', async () => {
  const log = await openLog();
  const sent = new Sent();
  await sent.append(log, commandsOf(0, 0));
  const [catalog] = commandsOf(0, 1).filter(({ command }) => command === 'replace catalog');
  await db.query({ text: 'DELETE FROM nodeledger.log_sections', values: [] });
  await log.append(catalog!);
  const [row] = await db.query<{ n: number }>(statement`
    SELECT count(*)::int AS n FROM nodeledger.log_records WHERE uuid = ${catalog!.uuid}::uuid AND sections IS NULL`);
  expect(row!.n).toBe(1);
});

it('reads a section from the pieces that the log remembers, and reads other pieces from the tables', async () => {
  const log = await openLog();
  const [catalog] = commandsOf(0, 0).filter(({ command }) => command === 'replace catalog');
  await log.append(catalog!);
  const partsOf = async (from: EmbeddedCommandLog) => (await inParts(from))[0]!.parts!;
  const parts = await partsOf(log);
  const sections = await parts.sectionBytes();
  expect(sections.map((bytes) => hash('sha256', bytes))).toEqual(
    parts.sections.map(({ sha256 }) => sha256.toString('hex')),
  );
  await db.query({ text: 'DELETE FROM nodeledger.log_pieces', values: [] });
  expect(await parts.sectionBytes()).toEqual(sections);
  await expect((await partsOf(await openLog())).sectionBytes()).rejects.toMatchObject({ code: 'log.foreign' });
});

it('appends of several processes lose nothing while epochs end and their sections are removed', async () => {
  const logs = [await openLog(), await openLog(), await openLog(undefined)];
  const sent = new Sent();
  let isOver = false;
  const maintenance = (async () => {
    const log = await openLog();
    let bases = 0;
    for (; !isOver || bases < 3; bases++) {
      const { ends } = await log.extent();
      const records = await inParts(log);
      const base = await log.prepareBase(
        new Map(ends),
        some(records, ({ partition, offset }) => offset < ends.get(partition)!),
      );
      await base.commit();
      await log.truncate();
    }
    return bases;
  })();
  await Promise.all(
    logs.map(async (log, machine) => {
      for (let run = 0; run < 12; run++) await sent.append(log, commandsOf(machine, run));
    }),
  );
  isOver = true;
  expect(await maintenance).toBeGreaterThanOrEqual(3);
  sent.expectIn(await replayed(logs[0]!));
}, 60_000);

/**
 * Returns a database on which the statement with the number `last` and all later statements fail, as if the process had
 * ended.
 */
function failingAfter(last: number): Database {
  let statements = 0;
  const failing =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    (...given: A): Promise<R> =>
      ++statements >= last ? Promise.reject(new Error('ended here')) : work.apply(db, given);
  return new Proxy(db, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (name === 'query' || name === 'transaction') return failing(member as (sql: unknown) => Promise<unknown>);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

const factsOf = (run: number): NewRecord[] => commandsOf(0, run).filter(({ command }) => command === 'replace facts');

it('loses nothing if the process ends at any statement of a base and of the removal, and finishes it later', async () => {
  const log = await openLog();
  const sent = new Sent();
  await sent.append(log, factsOf(0));
  let ended = 0;
  for (let last = 2; ; last++) {
    await sent.append(log, factsOf(last));
    const { ends } = await log.extent();
    const records = await inParts(log);
    const mortal = new EmbeddedCommandLog(failingAfter(last), { partitions, splitter: splitting() });
    const isWhole = await (async () => {
      await mortal.open();
      const base = await mortal.prepareBase(
        new Map(ends),
        some(records, () => true),
      );
      await base.commit();
      await mortal.truncate();
      return true;
    })().catch((error: Error) => {
      expect(error.message).toBe('ended here');
      return false;
    });
    await mortal.close();
    sent.expectIn(await replayed(log));
    if (isWhole) break;
    ended += 1;
  }
  expect(ended).toBeGreaterThan(10);
  await log.truncate();
  sent.expectIn(await replayed(log));
  expect(await count('log_epochs')).toBe(0);
  const [row] = await db.query<{ epochs: number }>(statement`
    SELECT count(DISTINCT epoch)::int AS epochs FROM nodeledger.log_pieces`);
  expect(row!.epochs).toBe(1);
}, 180_000);

it('says that a payload is damaged, and never gives another one', async () => {
  const log = await openLog();
  await new Sent().append(log, commandsOf(0, 0));
  await db.query({
    text: `UPDATE nodeledger.log_pieces SET content = (SELECT content FROM nodeledger.log_pieces ORDER BY hash LIMIT 1)`,
    values: [],
  });
  await expect(replayed(log)).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
});
