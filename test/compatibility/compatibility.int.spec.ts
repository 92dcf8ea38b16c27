/**
 * Tests that this build reads the data of earlier releases. NODELEDGER_WRITE_FIXTURE=<release> first writes the fixture
 * of a new release (docs/compatibility.md).
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUp, checkedBackup, readManifest, restore } from '#backup';
import { Database, migrateControlTables } from '#database';
import { defaultLimits } from '#limits';
import { type CommandLog, EmbeddedCommandLog, type LogRecord } from '#log';
import { verify } from '#projections';
import { ImportBench } from '../support/import-bench';
import { recordOf } from '../../libs/log/kafka/record-message';
import { freshDatabase } from '../support/postgres';
import {
  contextOf,
  entriesOf,
  exported,
  fixturePath,
  fixtures,
  loadDatabase,
  type MessageFixture,
  type Place,
  project,
  recordsOf,
  writeFixture,
} from './fixture';

const written = process.env['NODELEDGER_WRITE_FIXTURE'];
if (written !== undefined) it('writes a fixture', () => writeFixture(written), 120_000);

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const archiveOf = (release: string): Promise<Buffer> => readFile(fixturePath(release, 'archive.tar.gz'));

/** An empty database. */
async function emptyPlace(): Promise<{ db: Database; log: EmbeddedCommandLog; connectionString: string }> {
  const fresh = await freshDatabase();
  const { connectionString } = fresh;
  const db = new Database({ connectionString, max: 8 });
  const log = new EmbeddedCommandLog(db, { partitions: 2 });
  undo.push(
    () => fresh.drop(),
    () => db.close(),
    () => log.close(),
  );
  return { db, log, connectionString };
}

async function recordsIn(log: CommandLog): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const record of recordsOf(log)) records.push(record);
  return records;
}

/** The database has the documents of the archive, and its tables equal those that the log gives. */
async function expectWhole(place: Place, release: string): Promise<void> {
  expect(await verify(contextOf(place))).toMatchObject({ counted: 0 });
  expect(await exported(place)).toEqual(await entriesOf(await archiveOf(release)));
}

describe.each(written === undefined ? fixtures : [written])('release %s', (release) => {
  it('wrote a database with a log that this build reads and continues', async () => {
    const { db, log, connectionString } = await emptyPlace();
    await loadDatabase(release, connectionString);
    await migrateControlTables(connectionString);
    const { logId } = await log.open();
    await project({ db, log, logId });
    await expectWhole({ db, log, logId }, release);
    const [counts] = await db.query({
      text: `SELECT (SELECT count(*)::int FROM nodeledger.dead_letters WHERE state = 'waiting') AS letters,
               (SELECT count(*)::int FROM nodeledger.tokens) AS tokens, (SELECT count(*)::int FROM nodeledger.audit_log) AS audited`,
      values: [],
    });
    expect(counts).toEqual({ letters: 1, tokens: 1, audited: 1 });
    for await (const { uuid, command, version, certname, receivedAt, encoding, payload } of recordsOf(log)) {
      await log.append({ uuid, command, version, certname, receivedAt, encoding, payload });
      break;
    }
  });

  it('wrote a backup that this build restores', async () => {
    const { db, log, connectionString } = await emptyPlace();
    const replay = { limits: defaultLimits, maxCommandBytes: 20_000_000, signal: new AbortController().signal };
    const manifest = await checkedBackup(fixturePath(release, 'backup'), replay);
    await restore(fixturePath(release, 'backup'), manifest, { db, connectionString, log, replay });
    const { logId } = await log.open();
    await expectWhole({ db, log, logId }, release);
  });

  it('wrote a backup that this build continues and restores again', async () => {
    const room = await mkdtemp(join(tmpdir(), 'nodeledger-compatibility-'));
    undo.push(() => rm(room, { recursive: true }));
    const dir = join(room, 'backup');
    await cp(fixturePath(release, 'backup'), dir, { recursive: true });
    const replay = { limits: defaultLimits, maxCommandBytes: 20_000_000, signal: new AbortController().signal };
    const restored = async (): Promise<Place> => {
      const { db, log, connectionString } = await emptyPlace();
      await restore(dir, await checkedBackup(dir, replay), { db, connectionString, log, replay });
      const { logId } = await log.open();
      return { db, log, logId };
    };
    const place = await restored();
    const { format, log: earlier } = await readManifest(dir);
    const [first] = await recordsIn(place.log);
    await place.log.append({ ...first!, uuid: randomUUID() });
    const { manifest, written } = await backUp({ ...place, ...replay }, { dir, release, kept: 'test', settings: {} });
    expect([format, manifest.format, written]).toEqual([2, 3, 1]);
    expect(manifest.log.tail.map(({ file }) => file)).toEqual(
      expect.arrayContaining(earlier.tail.map(({ file }) => file)),
    );
    const again = await restored();
    expect(await recordsIn(again.log)).toEqual(await recordsIn(place.log));
    await project(place);
    expect(await exported(again)).toEqual(await exported(place));
  });

  it('wrote an archive that this build imports', async () => {
    const bench = await ImportBench.open(defaultLimits);
    undo.push(() => bench.close());
    const stop = new AbortController();
    const projecting = bench.tables.projector().run(stop.signal);
    expect(await bench.sendArchive(await archiveOf(release))).toMatchObject({ status: 200 });
    await bench.tables.settle();
    stop.abort();
    await projecting;
    expect(bench.tables.deadLetters).toEqual([]);
    expect(await exported(bench.tables)).toEqual(await entriesOf(await archiveOf(release)));
  });

  it('wrote messages to Kafka that this build reads as the records of its embedded log', async () => {
    const { log, connectionString } = await emptyPlace();
    await loadDatabase(release, connectionString);
    await migrateControlTables(connectionString);
    await log.open();
    const messages = JSON.parse(
      await readFile(fixturePath(release, 'kafka-messages.json'), 'utf8'),
    ) as MessageFixture[];
    const byPosition = new Map(messages.map((one) => [`${one.partition}-${one.offset}`, one]));
    let count = 0;
    for await (const record of recordsOf(log)) {
      const { partition, offset, headers, value } = byPosition.get(`${record.partition}-${record.offset}`)!;
      const message = { offset: String(offset), headers, value: Buffer.from(value, 'base64') };
      expect(await recordOf(message, { partition, offset })).toEqual({ ...record, next: undefined });
      count++;
    }
    expect(count).toBe(messages.length);
  });
});
