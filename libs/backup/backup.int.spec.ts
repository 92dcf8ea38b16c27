/**
 * A backup is complete at every moment, and restores tables, positions and control state, on both implementations of the
 * log.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ControlState, Database, Generations, positionsOf, refuseUnfinishedRestore, type Generation } from '#database';
import { defaultLimits } from '#limits';
import { EmbeddedCommandLog, KafkaCommandLog, type CommandLog } from '#log';
import { rebuild, snapshot, verify, type ReplayContext } from '#projections';
import { catalog, event, factset, report, resource } from '../../test/support/documents';
import { describeWithKafka, freshTopic, kafkaBrokers } from '../../test/support/kafka';
import { freshDatabase, type FreshDatabase } from '../../test/support/postgres';
import { dumpTables, ProjectionBench } from '../../test/support/projection';
import { backUp, type BackupOutcome } from './back-up';
import { checkBackup } from './check-backup';
import { filesOf, readManifest } from './manifest';
import { checkedBackup, restore } from './restore';

let bench: ProjectionBench;
let dir: string;
const undo: (() => Promise<unknown>)[] = [];
let day = 0;

beforeEach(async () => {
  bench = await ProjectionBench.open(3);
  dir = join(await mkdtemp(join(tmpdir(), 'nodeledger-backup-')), 'here');
  undo.push(
    () => rm(join(dir, '..'), { recursive: true }),
    () => bench.close(),
  );
});
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const replayOptions = {
  maxCommandBytes: 20_000_000,
  limits: defaultLimits,
  signal: new AbortController().signal,
};
const context = (over: Partial<ReplayContext> = {}): ReplayContext => ({
  db: bench.db,
  log: bench.log,
  logId: bench.logId,
  ...replayOptions,
  ...over,
});
const backup = (over: Partial<ReplayContext> = {}): Promise<BackupOutcome> =>
  backUp(context(over), { dir, release: '0.0.0', kept: 'in memory', settings: {}, segmentBytes: 2_000 });
const checked = async (): Promise<void> => checkBackup(dir, await readManifest(dir), replayOptions);

/** Feeds documents of six nodes. Some documents are outdated, and one is rejected. */
async function feed(): Promise<void> {
  day += 1;
  const time = new Date(Date.UTC(2026, 0, day)).toISOString();
  for (let n = 0; n < 6; n++) {
    const certname = `node-${n}`;
    await bench.submit('replace facts', certname, {
      payload: factset(certname, { n, day, os: { name: 'Debian' } }, { producer_timestamp: time }),
    });
    await bench.submit('replace catalog', certname, {
      payload: catalog(certname, [resource('/etc/motd', { parameters: { day } })], [], { producer_timestamp: time }),
    });
    await bench.submit('store report', certname, {
      payload: report(certname, [event('ensure')], { producer_timestamp: time, configuration_version: `v${day}` }),
    });
  }
  await bench.submit('replace facts', 'node-5', { payload: '{broken' });
  await bench.settle();
}

async function emptyTarget(): Promise<FreshDatabase & { db: Database }> {
  const fresh = await freshDatabase();
  const db = new Database({ connectionString: fresh.connectionString, max: 8 });
  undo.push(
    () => fresh.drop(),
    () => db.close(),
  );
  return { ...fresh, db };
}

const control = async (db: Database): Promise<unknown[]> =>
  db.query({
    text: `SELECT to_jsonb(d)::text AS row FROM nodeledger.dead_letters d
           UNION ALL SELECT to_jsonb(t)::text FROM nodeledger.tokens t
           UNION ALL SELECT to_jsonb(a)::text FROM nodeledger.audit_log a ORDER BY 1`,
    values: [],
  });

/**
 * Restores the backup into an empty database, and compares everything with the tables of the source at the time of the
 * backup.
 */
async function restoredAndCompared(makeLog: (db: Database) => CommandLog): Promise<Database> {
  const manifest = await checkedBackup(dir, replayOptions);
  const { db, connectionString } = await emptyTarget();
  const log = makeLog(db);
  undo.push(() => log.close());
  // The tables of a rebuild to a position have no past.
  await restore(dir, manifest, { db, connectionString, log, replay: { ...replayOptions, keepsPast: false } });

  const ends = new Map(manifest.log.partitions.map(({ partition, end }) => [partition, end]));
  const { schema } = await rebuild(context(), { toPosition: ends });
  const live = (await new Generations(db).live()) as Generation;
  expect(await dumpTables(db, live)).toEqual(await dumpTables(bench.db, { schema }));
  const positions = await positionsOf(db, live.generation);
  expect([...positions].map(([partition, { nextOffset, logId }]) => [partition, nextOffset, logId])).toEqual(
    [...ends].map(([partition, end]) => [partition, end, bench.logId]),
  );
  expect((await log.extent()).tails).toEqual(
    new Map(manifest.log.partitions.map(({ partition, tail }) => [partition, tail])),
  );
  expect(await verify({ ...replayOptions, db, log, logId: bench.logId })).toMatchObject({ counted: 0 });
  return db;
}
const embedded = (db: Database): CommandLog => new EmbeddedCommandLog(db, { partitions: 8 });

it('is consistent while commands come in, and gives back tables, positions, letters, tokens and the audit log', async () => {
  await feed();
  await bench.rows(`INSERT INTO nodeledger.tokens (name, hash, roles) VALUES ('dash', '\\x0102', '{query,metrics}')`);
  await bench.rows(`INSERT INTO nodeledger.audit_log (actor, action) VALUES ('user me', E'tab\\t, line\\n and \\\\')`);
  const before = await control(bench.db);
  const stop = new AbortController();
  const submitting = (async () => {
    for (let n = 0; !stop.signal.aborted; n++) {
      await bench.submit('replace facts', `late-${n % 5}`, { payload: factset(`late-${n % 5}`, { n }) });
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  })();
  const { records, manifest } = await backup();
  stop.abort();
  await submitting;
  await bench.settle();
  expect(records).toBe(manifest.log.partitions.reduce((sum, { end }) => sum + end - 1, 0));
  const db = await restoredAndCompared(embedded);
  expect(await control(db)).toEqual(before);
  const [added] = await db.query<{ id: number }>({
    text: `INSERT INTO nodeledger.audit_log (actor, action) VALUES ('a', 'b') RETURNING id`,
    values: [],
  });
  expect(added?.id).toBe(2);
}, 60_000);

it('of a log with a base is brought up to date by its new records only, also after a further snapshot', async () => {
  await feed();
  await snapshot(context(), { historyMs: 0 });
  await feed();
  const first = await backup();
  expect(first.written).toBe(first.records);
  expect(first.manifest.log.base.length).toBeGreaterThan(0);
  await feed();
  const second = await backup();
  expect(second.written).toBe(19);
  expect(second.records).toBe(first.records + 19);
  await restoredAndCompared(embedded);
  expect((await backup()).written).toBe(0);

  await snapshot(context(), { historyMs: 0 });
  await feed();
  const third = await backup();
  expect(third.manifest.log.base).not.toEqual(first.manifest.log.base);
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(names.length).toBe(filesOf(third.manifest).length + 1);
  await restoredAndCompared(embedded);
}, 120_000);

it('can be read by its owner only', async () => {
  await feed();
  await snapshot(context(), { historyMs: 0 });
  await feed();
  await backup();
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
  }
  expect(entries.length).toBeGreaterThan(8);
});

it('gives the restored tail no records from before it, although a snapshot has cut a segment', async () => {
  const submit = (n: number): Promise<unknown> =>
    bench.submit('replace facts', 'cut', { payload: factset('cut', { n }) });
  for (const n of [1, 2]) await submit(n);
  await bench.settle();
  // A snapshot keeps the records that are not applied yet.
  await submit(3);
  await backup();
  await snapshot(context(), { historyMs: 0 });
  await bench.settle();
  const { tail, partitions } = (await backup()).manifest.log;
  expect(tail.filter(({ partition, from }) => from < partitions[partition]!.tail)).toHaveLength(1);
  const db = await restoredAndCompared(embedded);
  const before = await db.query({
    text: `SELECT log_partition, log_offset FROM nodeledger.log_records JOIN nodeledger.log_partitions USING (log_partition)
           WHERE log_offset > 0 AND log_offset < tail_offset`,
    values: [],
  });
  expect(before).toEqual([]);
}, 60_000);

it('that is stopped at any point leaves the earlier one whole, and a further one completes it', async () => {
  await feed();
  await backup();
  const earlier = await readFile(join(dir, 'manifest.json'), 'utf8');
  for (let steps = 1; steps < 4; steps++) {
    await feed();
    const stopping = new AbortController();
    let seen = 0;
    const onProgress = (): void => {
      if (++seen >= steps % 2) stopping.abort();
    };
    await expect(backup({ signal: stopping.signal, onProgress })).rejects.toMatchObject({
      code: 'maintenance.stopped',
    });
    await writeFile(join(dir, 'tail', 'p0-7-99.log'), 'of a backup that was killed');
    expect(await readFile(join(dir, 'manifest.json'), 'utf8')).toBe(earlier);
    await checked();
  }
  expect((await backup()).written).toBe(3 * 19);
  await checked();
  await restoredAndCompared(embedded);
}, 120_000);

it('that loses the maintenance lock leaves the earlier one whole', async () => {
  await feed();
  await backup();
  const earlier = await readFile(join(dir, 'manifest.json'), 'utf8');
  await feed();
  const log = Object.assign(Object.create(bench.log) as CommandLog, {
    extent: async () => {
      const [ended] = await bench.rows(
        `SELECT pg_terminate_backend(pid, 5000) AS is FROM pg_locks
         WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(ended).toEqual({ is: true });
      return bench.log.extent();
    },
  });
  await expect(backup({ log })).rejects.toThrow(/[Cc]onnection|terminat/);
  expect(await readFile(join(dir, 'manifest.json'), 'utf8')).toBe(earlier);
  await checked();
}, 60_000);

describe('a backup that is not as it was written', () => {
  const target = async (): Promise<unknown> => restoredAndCompared(embedded);

  it('is named file by file, and nothing is restored from it', async () => {
    await feed();
    const { manifest } = await backup();
    const [cut, changed, gone] = manifest.log.tail.map(({ file }) => join(dir, file)) as [string, string, string];
    const table = join(dir, manifest.control.tables[0]!.file);
    await truncate(cut, 10);
    const bytes = await readFile(changed);
    bytes[40]! ^= 1;
    await writeFile(changed, bytes);
    await rm(gone);
    await writeFile(table, 'x');
    const refusal = await target().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ kind: 'broken', code: 'backup.damaged' });
    const { message } = refusal as Error;
    expect(message).toContain(`${cut}: the file has 10 bytes, ${manifest.log.tail[0]!.bytes} were written`);
    expect(message).toContain(`${changed}: the file has other content`);
    expect(message).toContain(`${gone}: the file is missing`);
    expect(message).toContain(`${table}: the file has 1 bytes`);
    // The next backup writes a file again if its size has changed.
    await writeFile(changed, bytes.subarray(1));
    await backup();
    await checked();
    await target();
  }, 60_000);

  it.each([
    ['cut off', (text: string) => text.slice(0, -20)],
    ['of a newer format', (text: string) => text.replace('"format": 3', '"format": 4')],
    ['of a build before 0.2.0', (text: string) => text.replace('"format": 3', '"format": 1')],
    ['without a segment', (text: string) => JSON.stringify(withoutSegment(JSON.parse(text) as never))],
  ])('is refused by its manifest: %s', async (_title, damage) => {
    await feed();
    await backup();
    const path = join(dir, 'manifest.json');
    await writeFile(path, damage(await readFile(path, 'utf8')));
    await expect(target()).rejects.toMatchObject({
      code: expect.stringMatching(/^backup\.(damaged|newer|unreleased)$/) as string,
    });
  });

  it('is refused if a later release made its control tables', async () => {
    await backup();
    const path = join(dir, 'manifest.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace(/"version": \d+/, '"version": 999'));
    await expect(target()).rejects.toMatchObject({ kind: 'conflict', code: 'backup.newer' });
  });

  it('is damaged if a file cannot be read', async () => {
    await feed();
    const { manifest } = await backup();
    const path = join(dir, manifest.log.tail[0]!.file);
    await rm(path);
    await mkdir(path);
    await expect(checked()).rejects.toMatchObject({
      code: 'backup.damaged',
      message: expect.stringContaining(`${path}: the file cannot be read: EISDIR`) as string,
    });
  });

  it('is refused if its manifest names a file outside of the directory', async () => {
    await feed();
    await backup();
    await cp(join(dir, 'tail'), join(dir, '..', 'tail'), { recursive: true });
    const path = join(dir, 'manifest.json');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"tail/', '"../tail/'));
    await expect(target()).rejects.toMatchObject({
      code: 'backup.damaged',
      message: expect.stringContaining('file ../tail/') as string,
    });
  });

  const withoutSegment = (manifest: { log: { tail: unknown[] } }): object => {
    manifest.log.tail.splice(1, 1);
    return manifest;
  };
});

it('is not made into a directory of something else or of another log', async () => {
  await feed();
  await backup();
  const other = await ProjectionBench.open(3);
  undo.push(() => other.close());
  await expect(backup({ db: other.db, log: other.log, logId: other.logId })).rejects.toMatchObject({
    code: 'backup.other-log',
  });
  await rm(join(dir, 'manifest.json'));
  await writeFile(join(dir, 'notes.txt'), 'mine');
  await expect(backup()).rejects.toMatchObject({
    code: 'backup.directory',
    message: expect.stringContaining('notes.txt') as string,
  });
});

it('continues in the directory of a first backup that was interrupted', async () => {
  await feed();
  await mkdir(join(dir, 'control'), { recursive: true });
  await writeFile(join(dir, 'control', 'tokens'), 'no name of its own yet');
  await writeFile(join(dir, 'control', 'dead_letters.part'), 'half');
  await writeFile(join(dir, 'manifest.json.part'), '{');
  await backup();
  await checked();
});

it('leaves alone what others keep in folders that are called as those of a backup', async () => {
  const notes = join(dir, 'tail', 'notes.txt');
  await mkdir(join(dir, 'tail'), { recursive: true });
  await writeFile(notes, 'mine');
  await expect(backup()).rejects.toMatchObject({
    code: 'backup.directory',
    message: expect.stringContaining('tail/notes.txt') as string,
  });
  await rm(notes);
  await backup();
  await writeFile(notes, 'mine');
  await backup();
  expect(await readFile(notes, 'utf8')).toBe('mine');
});

it('gives rows to tables of the control state only', async () => {
  const rows = { [Symbol.asyncIterator]: () => [][Symbol.iterator]() } as unknown as AsyncIterable<Buffer>;
  for (const name of ['generations', 'migrations', 'log_records', 'pg_class"; --']) {
    const loading = bench.db.transaction((session) => ControlState.load(session, { name, columns: ['a'] }, rows));
    await expect(loading).rejects.toMatchObject({ code: 'backup.damaged' });
  }
});

it('is restored into an empty place only; a restore that did not end keeps services away and is begun anew', async () => {
  await feed();
  const { manifest } = await backup();
  const into = async (
    db: Database,
    connectionString: string,
    over: Partial<typeof replayOptions> = {},
  ): Promise<unknown> => {
    const log = embedded(db);
    try {
      return await restore(dir, manifest, { db, connectionString, log, replay: { ...replayOptions, ...over } });
    } finally {
      await log.close();
    }
  };
  await expect(into(bench.db, bench.connectionString)).rejects.toMatchObject({
    kind: 'conflict',
    code: 'restore.not-empty',
  });

  const { db, connectionString } = await emptyTarget();
  const stopping = new AbortController();
  const onProgress = ({ step }: { step: string }): void => {
    if (step === 'build the tables') stopping.abort();
  };
  const replay = { signal: stopping.signal, onProgress } as never;
  await expect(into(db, connectionString, replay)).rejects.toMatchObject({ code: 'maintenance.stopped' });
  await expect(refuseUnfinishedRestore(db)).rejects.toMatchObject({ code: 'server.restore-unfinished' });
  await into(db, connectionString);
  await refuseUnfinishedRestore(db);
  const live = (await new Generations(db).live()) as Generation;
  expect(await dumpTables(db, live)).toEqual(await bench.dump());
  await expect(into(db, connectionString)).rejects.toMatchObject({ code: 'restore.not-empty' });
}, 60_000);

it('of an earlier state is not mixed with the records that the restored log has got since', async () => {
  await feed();
  const { manifest } = await backup();
  const { db, connectionString } = await emptyTarget();
  const log = embedded(db);
  undo.push(() => log.close());
  await restore(dir, manifest, { db, connectionString, log, replay: replayOptions });
  await feed();
  await backup();
  const other = context({ db, log });
  await expect(backup(other)).rejects.toMatchObject({
    code: 'backup.other-log',
    message: expect.stringContaining('ends before') as string,
  });
  for (let n = 0; n < 40; n++) {
    await log.append({
      uuid: `00000000-0000-4000-8000-0000000000${n + 10}`,
      command: 'replace facts',
      version: 5,
      certname: `node-${n % 6}`,
      receivedAt: 1,
      encoding: 'identity',
      payload: Buffer.from('{}'),
    });
  }
  await expect(backup(other)).rejects.toMatchObject({
    code: 'backup.other-log',
    message: expect.stringContaining('another record') as string,
  });
}, 60_000);

describeWithKafka('on Kafka', () => {
  it('a backup is restored into a topic, from a base and a tail', async () => {
    await feed();
    await snapshot(context(), { historyMs: 0 });
    await feed();
    await backup();
    const brokers = (await kafkaBrokers()) as string[];
    const topic = freshTopic();
    await restoredAndCompared(() => new KafkaCommandLog({ brokers, topic, partitions: 1, maxPayloadBytes: 1 << 20 }));
    // Copies the restored log into another backup.
    const log = new KafkaCommandLog({ brokers, topic, partitions: 1, maxPayloadBytes: 1 << 20 });
    await log.open();
    undo.push(() => log.close());
    expect(await log.ends()).toEqual(await bench.log.ends());
  }, 120_000);
});
