/**
 * Kills the service and the verbs with SIGKILL at each step in the life of sections: while documents are split, when
 * pieces are stored and records appended, while a snapshot writes its base, begins an epoch and removes the earlier one,
 * and during a backup, a restore and a copy of the log. Afterwards reads every acknowledged record back, and compares the
 * SHA-256 of its document with what was sent. NODELEDGER_SECTION_ROUNDS repeats the steps.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '#config';
import { Database } from '#database';
import type { CommandLog } from '#log';
import { openCommandLog } from '../../apps/server/open-log';
import { temporaryDataDir } from '../e2e/service';
import { describeWithKafka, freshTopic, kafkaBrokers } from '../support/kafka';
import { freshDatabase } from '../support/postgres';
import { killAtLock } from './blocked';
import { killWhen } from './kill-at';
import { Seeded } from './seeded';
import { SentRuns } from './sent-runs';
import { dumpOf, settled } from './tables';
import { Verbs, type SnapshotJson } from './verbs';
import { WholeService } from './whole-service';

const rounds = Number(process.env.NODELEDGER_SECTION_ROUNDS ?? 1);
const nodes = 6;
const settleMs = 90_000;
const maintenance = 'nodeledger maintenance';
type Settings = Record<string, string>;

let random: Seeded;
let on: WholeService;
let room: string;
let sent: SentRuns;
/** The uuids of the records that were in the log when it was last read, and those that were acknowledged until then. */
let kept = new Set<string>();
let seen = new Set<string>();
const closers: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  random = Seeded.ofRun('sections');
  sent = new SentRuns(`sections ${random.seed}`, nodes);
  on = await WholeService.open('embedded');
  room = await temporaryDataDir();
  closers.push(
    () => on.close(),
    () => rm(room, { recursive: true, force: true }),
  );
  await sent.send(on.url);
  await expectAll();
}, 120_000);
afterAll(async () => {
  for (const close of closers.reverse()) await close();
}, 60_000);

/** Reads the log, which must have the records that it had, and those that were acknowledged since then. */
async function expectAll(): Promise<void> {
  const acknowledged = sent.uuids();
  kept = await sent.expectIn(on.log, new Set([...kept, ...[...acknowledged].filter((uuid) => !seen.has(uuid))]));
  seen = acknowledged;
}

/** Reads the log after a snapshot, which may have removed records but must not have changed any. */
async function expectKept(): Promise<void> {
  kept = await sent.expectIn(on.log, new Set());
  seen = sent.uuids();
}

/** Sends a run, and reads everything back. */
async function goOn(): Promise<void> {
  await sent.send(on.url);
  await settled(on.db, on.log, settleMs);
  await expectAll();
}

/** Opens the log of other settings. */
async function openLog(settings: Settings): Promise<{ db: Database; log: CommandLog }> {
  const db = new Database({ connectionString: settings.DATABASE_URL!, max: 4, applicationName: 'test' });
  const log = await openCommandLog(readSettings([], settings).settings, db);
  closers.push(
    () => log.close(),
    () => db.close(),
  );
  await log.open();
  return { db, log };
}

async function emptyDatabase(): Promise<Settings> {
  const fresh = await freshDatabase();
  closers.push(() => fresh.drop());
  return {
    DATABASE_URL: fresh.connectionString,
    NODELEDGER_SNAPSHOT_INTERVAL: '0',
    NODELEDGER_GC_INTERVAL: '0',
  };
}

async function sectionRows(db: Database): Promise<{ sections: number; epochs: number; refers: number }> {
  const [row] = await db.query<{ sections: number; epochs: number; refers: number }>({
    text: `SELECT (SELECT count(*)::int FROM nodeledger.log_sections) AS sections,
             (SELECT count(DISTINCT epoch)::int FROM nodeledger.log_sections) AS epochs,
             (SELECT count(*)::int FROM nodeledger.log_records WHERE sections IS NOT NULL) AS refers`,
    values: [],
  });
  return row!;
}

/** Locks for which the append waits, in the order of its work. */
const appendLocks = [
  'SELECT FROM nodeledger.log_partitions ORDER BY log_partition FOR UPDATE',
  'LOCK TABLE nodeledger.log_pieces IN SHARE MODE',
];

test(
  'the service is killed while it splits documents, while it stores pieces, and after a commit',
  async () => {
    let blocked = 0;
    for (let round = 0; round < rounds; round++) {
      for (const lock of appendLocks) {
        for (const lost of [false, true]) {
          const was = await killAtLock(on.db, lock, {
            application: 'nodeledger write',
            start: () => sent.send(on.url),
            kill: () => on.kill(),
            lost,
          });
          if (was) blocked += 1;
          await on.restart();
          await goOn();
        }
      }
      for (const afterMs of [random.whole(0, 30), random.whole(30, 150)]) {
        const sending = sent.send(on.url);
        await delay(afterMs);
        await on.kill();
        await sending;
        await on.restart();
        await goOn();
      }
    }
    expect(blocked).toBe(4 * rounds);
    expect((await sectionRows(on.db)).refers).toBeGreaterThan(nodes);
    console.log(`sections: ${6 * rounds} kills of the service, ${sent.count} records equal the submitted documents`);
  },
  300_000 * rounds,
);

/** Locks for which a snapshot waits: its statements in their order. The last ones finish the work of a killed removal. */
const snapshotLocks: readonly (readonly [string, string])[] = [
  ['stores the sections of the base', 'LOCK TABLE nodeledger.log_pieces IN SHARE MODE'],
  ['stores the records of the base', 'LOCK TABLE nodeledger.log_base_records IN SHARE MODE'],
  ['begins an epoch', 'LOCK TABLE nodeledger.log_epochs IN SHARE MODE'],
  ['removes the records', 'SELECT FROM nodeledger.log_records WHERE log_offset > 0 FOR UPDATE'],
  ['removes the pieces of the epoch', 'SELECT FROM nodeledger.log_pieces FOR UPDATE'],
  ['removes the sections of the epoch', 'SELECT FROM nodeledger.log_sections FOR UPDATE'],
  ['forgets the epoch', 'SELECT FROM nodeledger.log_epochs FOR UPDATE'],
];

/** Waits until the connections of a killed verb have ended. */
async function untilGone(db: Database): Promise<void> {
  for (const deadline = Date.now() + 20_000; ; await delay(50)) {
    const rows = await db.query({
      text: 'SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1',
      values: [maintenance],
    });
    if (rows.length === 0) return;
    if (Date.now() > deadline) throw new Error('the connections of a killed verb did not end');
  }
}

test(
  'a snapshot is killed at each of its steps',
  async () => {
    const killedWhen: string[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const [name, lock] of snapshotLocks) {
        const before = await dumpOf(on.db);
        let running: ReturnType<Verbs['start']> | undefined;
        const was = await killAtLock(on.db, lock, {
          application: maintenance,
          start: () => (running = on.verbs.start('snapshot', '--history', '0', '--yes')).ended,
          kill: () => Promise.resolve(running?.signal('SIGKILL')),
          lost: random.chance(0.5),
        });
        if (was) killedWhen.push(name);
        await untilGone(on.db);
        expect(await dumpOf(on.db)).toEqual(before);
        await expectKept();
        await goOn();
      }
      const outcome = await on.verbs.answer<SnapshotJson>('snapshot', '--history', '0', '--yes');
      expect(outcome.nothingToDo).toBe(false);
      await expectKept();
      const { epochs, refers } = await sectionRows(on.db);
      // Only the base refers to sections, so only its epoch is left.
      expect([epochs, refers]).toEqual([1, 0]);
      expect(await on.verbs.verify()).toMatchObject({ counted: 0, differences: [] });
      await goOn();
    }
    expect(killedWhen).toHaveLength(snapshotLocks.length * rounds);
    console.log(
      `sections: ${killedWhen.length} kills of snapshots, ${kept.size} records equal the submitted documents`,
    );
  },
  300_000 * rounds,
);

test(
  'a backup is killed, completed and continued, and its restore is killed and completed',
  async () => {
    const dir = join(room, 'backup');
    await mkdir(dir, { mode: 0o700 });
    for (let round = 0; round < rounds; round++) {
      let running: ReturnType<Verbs['start']> | undefined;
      const was = await killAtLock(on.db, 'LOCK TABLE nodeledger.log_pieces IN ACCESS EXCLUSIVE MODE', {
        application: maintenance,
        start: () => (running = on.verbs.start('backup', dir)).ended,
        kill: () => Promise.resolve(running?.signal('SIGKILL')),
        lost: false,
      });
      expect(was).toBe(true);
      await untilGone(on.db);
      const begun = async (): Promise<boolean> =>
        (await readdir(dir, { recursive: true })).some((name) => name.endsWith('.part'));
      await killWhen(on.verbs.start('backup', dir), begun, random.whole(0, 60));
      await untilGone(on.db);
      await on.verbs.answer('backup', dir);
      await goOn();
    }
    await on.verbs.answer('backup', dir);
    expect((await on.verbs.run('backup', '--check', dir)).code).toBe(0);

    const target = await emptyDatabase();
    const verbs = new Verbs(room, target);
    const watch = new Database({ connectionString: target.DATABASE_URL!, max: 1, applicationName: 'test' });
    closers.push(() => watch.close());
    const rowsOf = (table: string) => async (): Promise<boolean> => {
      const text = `SELECT count(*)::int AS n FROM nodeledger.${table}`;
      const [row] = await watch.query<{ n: number }>({ text, values: [] }).catch(() => []);
      return (row?.n ?? 0) > 0;
    };
    for (const table of ['log_pieces', 'log_records', 'log_base_records', 'log_partitions']) {
      await killWhen(verbs.start('restore', dir), rowsOf(table), random.whole(0, 20));
      await untilGone(watch);
    }
    await verbs.answer('restore', dir);
    const { db, log } = await openLog(target);
    expect(await sent.expectIn(log, kept)).toEqual(kept);
    expect((await sectionRows(db)).refers).toBeGreaterThan(0);
    expect(await verbs.verify()).toMatchObject({ counted: 0, differences: [] });
    expect(await dumpOf(db)).toEqual(await dumpOf(on.db));
    console.log(`sections: a restore after kills has ${kept.size} records, which are what was sent`);
  },
  300_000 * rounds,
);

describeWithKafka('with Kafka', () => {
  test('a copy of the log to Kafka is killed and repeated, and comes back by a backup', async () => {
    const brokers = ((await kafkaBrokers()) as string[]).join();
    await on.kill();
    let topic = '';
    const stages = [random.whole(300, 700), random.whole(700, 1_500), undefined];
    for (const afterMs of stages) {
      topic = freshTopic();
      const copy = on.verbs.start('log', 'copy', '--to-topic', topic, '--to-brokers', brokers, '--partitions', '2');
      if (afterMs !== undefined) {
        await delay(afterMs);
        copy.signal('SIGKILL');
      }
      const { code, stderr } = await copy.ended;
      await untilGone(on.db);
      if (afterMs === undefined && code !== 0) throw new Error(stderr);
    }
    const onKafka = { ...on.settings, KAFKA_BROKERS: brokers, NODELEDGER_LOG_TOPIC: topic };
    const { log: copied } = await openLog(onKafka);
    expect(await sent.expectIn(copied, kept)).toEqual(kept);

    const dir = join(room, 'from-kafka');
    await new Verbs(room, onKafka).answer('backup', dir);
    const target = await emptyDatabase();
    await new Verbs(room, target).answer('restore', dir);
    const { db, log } = await openLog(target);
    expect(await sent.expectIn(log, kept)).toEqual(kept);
    expect((await sectionRows(db)).refers).toBeGreaterThan(0);
    console.log(`sections: ${kept.size} records came back from Kafka as they were sent`);
  }, 300_000);
});
