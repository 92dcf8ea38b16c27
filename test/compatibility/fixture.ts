/**
 * Data in the form of a release, small: a database with an embedded log, messages of Kafka, an archive and a backup of
 * the same commands.
 */
import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { exportArchive } from '#archive';
import { backUp } from '#backup';
import { Database, Generations, migrateControlTables, positionsOf } from '#database';
import { defaultLimits } from '#limits';
import { EmbeddedCommandLog, offsetAfter, type CommandLog, type LogRecord, type NewRecord } from '#log';
import {
  deleteRemovedRows,
  Projector,
  projectionVersion,
  readTables,
  snapshot,
  type ReplayContext,
} from '#projections';
import { lifecycleCommands } from '#wire';
import { messageOf } from '../../libs/log/kafka/record-message';
import { storePayload } from '../../libs/log/payload-storage';
import { examplePayloads } from '../../libs/wire/schemas/example-payloads';
import { collected, readArchive } from '../support/read-archive';
import { migrations } from '../../migrations';
import { ageLimitsOf } from '../support/age-limits';
import { event, factset, report } from '../support/documents';
import { freshDatabase } from '../support/postgres';

export const fixtures = readdirSync(__dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
export const fixturePath = (release: string, ...below: string[]): string => join(__dirname, release, ...below);

/** The rows of a database by table, and the SQL that made the tables. */
export interface DatabaseFixture {
  readonly tables: Readonly<Record<string, readonly object[]>>;
  readonly sequences: Readonly<Record<string, number>>;
}
export interface MessageFixture {
  readonly headers: Readonly<Record<string, string>>;
  readonly value: string;
  readonly partition: number;
  readonly offset: number;
}

/** An open log with read tables in a database. */
export interface Place {
  readonly db: Database;
  readonly log: CommandLog;
  readonly logId: string;
}

export const contextOf = ({ db, log, logId }: Place): ReplayContext => ({
  ...{ db, log, logId, maxCommandBytes: 20_000_000, limits: defaultLimits },
  signal: new AbortController().signal,
});

/** Applies all records of the log to the live tables. Creates the tables if there are none. */
export async function project(place: Place): Promise<void> {
  const { db, log, logId } = place;
  const { starts } = await log.extent();
  const generation = await new Generations(db).create({ ddl: readTables, projectionVersion, log: { logId, starts } });
  const until = await log.ends();
  await new Projector({ ...contextOf(place), generation, until }).run(AbortSignal.timeout(60_000));
  const positions = await positionsOf(db, generation.generation);
  for (const [partition, end] of until) expect(positions.get(partition)?.nextOffset).toBe(end);
  await deleteRemovedRows(db, generation);
}

/** Returns the entries of an archive of the database. */
export async function exported(place: Place): Promise<[string, string][]> {
  return entriesOf(await collected(exportArchive(contextOf(place), { root: 'nodeledger-bak' })));
}

/** Names and texts of the documents in an archive. */
export async function entriesOf(archive: Buffer): Promise<[string, string][]> {
  const entries = await readArchive(archive);
  return entries
    .map(({ header, text }): [string, string] => [header.name, text])
    .filter(([name]) => !/metadata/.test(name));
}

export async function* recordsOf(log: CommandLog): AsyncGenerator<LogRecord> {
  const { starts, ends } = await log.extent();
  const left = new Map([...starts].filter(([partition, start]) => start < (ends.get(partition) as number)));
  const reader = log.reader(left);
  try {
    while (left.size > 0) {
      for (const record of await reader.next({ maxRecords: 100, maxBytes: 1 << 20 }, AbortSignal.timeout(30_000))) {
        if (offsetAfter(record) >= (ends.get(record.partition) as number)) left.delete(record.partition);
        yield record;
      }
    }
  } finally {
    await reader.close();
  }
}

const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();

/**
 * One record of each command, nodes in every state, compressed payloads, a rejected command, and records that a
 * snapshot keeps.
 */
function* records(): Generator<NewRecord | 'snapshot'> {
  let count = 0;
  const record = (command: string, version: number, certname: string, payload: unknown): NewRecord => ({
    uuid: `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    ...{ command, version, certname, receivedAt: Date.UTC(2026, 0, 20) + count, encoding: 'identity' },
    payload: Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)),
  });
  const versions: Record<string, number> = {
    'replace facts': 5,
    'replace catalog': 9,
    'store report': 8,
    'deactivate node': 3,
  };
  const examples = (certname: string): NewRecord[] =>
    Object.entries(examplePayloads(certname, day(3))).map(([command, payload]) =>
      record(command, versions[command] ?? 1, String(payload['certname']), payload),
    );
  const limits = (certname: string, given: Parameters<typeof ageLimitsOf>[1]): NewRecord => {
    const { command, version, payload } = ageLimitsOf(certname, given);
    return record(command, version, certname, payload);
  };
  const facts = (certname: string, on: number, values = { on } as object): NewRecord =>
    record('replace facts', 5, certname, factset(certname, values, { producer_timestamp: day(on) }));
  const reported = (certname: string, on: number): NewRecord =>
    record('store report', 8, certname, report(certname, [event('mode')], { producer_timestamp: day(on) }));
  const remove = (certname: string): NewRecord =>
    record(lifecycleCommands.deleteNode.command, 1, certname, { certname });

  yield* examples('early');
  yield* [facts('active', 1), facts('active', 2), reported('active', 1), reported('active', 2)];
  yield* [facts('expired', 1), limits('expired', { expiry: { cutoff: day(5), expired: day(9), most: 1 } })];
  yield* [reported('bare', 1), limits('bare', { eventsBefore: day(2) })];
  yield* [reported('empty', 1), limits('empty', { reportsBefore: day(2) })];
  yield* [facts('deleted', 1), remove('deleted')];
  yield 'snapshot';
  yield* examples('late');
  yield facts('large', 1, Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`fact_${n}`, 'x'.repeat(40)])));
  const zipped = facts('zipped', 1);
  yield { ...zipped, encoding: 'gzip', payload: gzipSync(zipped.payload) };
  yield record('replace facts', 5, 'active', '{broken');
  yield { ...facts('active', 3), headers: { 'retry-of': '0-1' } };
  yield* [facts('deleted', 2), remove('deleted')];
  yield* [reported('active', 4), limits('active', { reportsBefore: day(2) })];
}

/** Writes the fixture of a release. Never change the fixture of a release that has been published. */
export async function writeFixture(release: string): Promise<void> {
  const dir = fixturePath(release);
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir);
  const fresh = await freshDatabase();
  await migrateControlTables(fresh.connectionString);
  const db = new Database({ connectionString: fresh.connectionString, max: 8 });
  const log = new EmbeddedCommandLog(db, { partitions: 2 });
  const { logId } = await log.open();
  const place = { db, log, logId };
  const write = (name: string, value: unknown): Promise<void> =>
    writeFile(join(dir, name), `${JSON.stringify(value, null, 1)}\n`);
  for (const one of records()) {
    if (one !== 'snapshot') await log.append(one);
    else {
      await project(place);
      expect(await snapshot(contextOf(place), { historyMs: 0 })).toMatchObject({ nothingToDo: false });
    }
  }
  await (await live(place)).run(AbortSignal.timeout(60_000));
  await db.query({
    text: `INSERT INTO nodeledger.tokens (name, hash, roles) VALUES ('dash', '\\x01', '{query}')`,
    values: [],
  });
  await db.query({ text: `INSERT INTO nodeledger.audit_log (actor, action) VALUES ('me', 'export')`, values: [] });

  await writeFile(
    join(dir, 'archive.tar.gz'),
    await collected(exportArchive(contextOf(place), { root: 'nodeledger-bak' })),
  );
  await backUp(contextOf(place), { dir: join(dir, 'backup'), release, kept: 'embedded', settings: {} });
  const messages: MessageFixture[] = [];
  for await (const record of recordsOf(log)) {
    const { partition, offset, next } = record;
    const stored = await storePayload(record.payload, record.encoding);
    const message = messageOf(record, partition, stored, next === undefined ? undefined : { offset, next });
    const headers = Object.fromEntries(
      Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    messages.push({ partition, offset, headers, value: (message.value as Buffer).toString('base64') });
  }
  await write('kafka-messages.json', messages);
  await write('database.json', await rowsOf(db));
  await writeFile(join(dir, 'schema.sql'), await schemaSql());
  await log.close();
  await db.close();
  await fresh.drop();
}

async function live(place: Place): Promise<Projector> {
  const generation = await new Generations(place.db).live();
  if (generation === undefined) throw new Error('no tables are live');
  return new Projector({ ...contextOf(place), generation, until: await place.log.ends() });
}

const unkept = ['generations', 'positions'];

async function rowsOf(db: Database): Promise<DatabaseFixture> {
  const tables: Record<string, object[]> = {};
  const names = await db.query<{ name: string }>({
    text: `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'nodeledger' AND tablename <> ALL ($1) ORDER BY 1`,
    values: [unkept],
  });
  for (const { name } of names) {
    const rows = await db.query<{ row: string }>({
      text: `SELECT to_jsonb(t)::text AS row FROM nodeledger.${name} t ORDER BY to_jsonb(t)::text`,
      values: [],
    });
    tables[name] = rows.map(({ row }) => JSON.parse(row) as object);
  }
  const sequences = await db.query<{ name: string; last: number }>({
    text: `SELECT sequencename AS name, last_value::int AS last FROM pg_sequences
           WHERE schemaname = 'nodeledger' AND last_value IS NOT NULL ORDER BY 1`,
    values: [],
  });
  return { tables, sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])) };
}

/** Returns the statements of all migrations, and of TypeORM's own table. */
async function schemaSql(): Promise<string> {
  const statements: string[] = [];
  const runner = { query: (text: string) => Promise.resolve(void statements.push(text)) };
  for (const Migration of migrations) await new Migration().up(runner as never);
  statements.push(
    'CREATE TABLE nodeledger.migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL);\n',
  );
  return statements.join('\n');
}

/** Creates the database in the form of the release. */
export async function loadDatabase(release: string, connectionString: string): Promise<void> {
  const db = new Database({ connectionString, max: 1 });
  const { tables, sequences } = JSON.parse(
    await readFile(fixturePath(release, 'database.json'), 'utf8'),
  ) as DatabaseFixture;
  await db.query({ text: await readFile(fixturePath(release, 'schema.sql'), 'utf8'), values: [] });
  for (const [name, rows] of Object.entries(tables)) {
    await db.query({
      text: `INSERT INTO nodeledger.${name} OVERRIDING SYSTEM VALUE
             SELECT * FROM jsonb_populate_recordset(NULL::nodeledger.${name}, $1::jsonb)`,
      values: [JSON.stringify(rows)],
    });
  }
  for (const [name, last] of Object.entries(sequences)) {
    await db.query({ text: `SELECT setval('nodeledger.${name}', $1)`, values: [last] });
  }
  await db.close();
}
