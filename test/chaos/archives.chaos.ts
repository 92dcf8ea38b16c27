/**
 * Kills exports and imports at random moments (the service, its client, or the command line) and repeats them. At the
 * end, the archive and the tables must equal those of a run without interruptions. A run kills each three times on the
 * embedded log. `npm run test:archives` kills ten times (NODELEDGER_ARCHIVE_KILLS), on the embedded log and on Kafka.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sendArchive } from '../../apps/cli/import/send-archive';
import { positionColumns } from '../../libs/projections/replay/canonical-tables';
import { temporaryDataDir } from '../e2e/service';
import { submission } from '../model/steps';
import { describeWithKafka } from '../support/kafka';
import { post } from './load';
import { RandomCommands, stepTime } from './random-commands';
import { Seeded } from './seeded';
import { dumpOf, rowsIn, settled, type Dump } from './tables';
import type { SnapshotJson, VerifyJson } from './verbs';
import { WholeService, type LogBody } from './whole-service';

const longRun = process.env.NODELEDGER_ARCHIVE_KILLS;
const kills = Number(longRun ?? 3);
/** Each node has six documents and a setting. An import looks up 200 documents at a time, so it appends in five steps. */
const nodes = Array.from({ length: 150 }, (_, n) => `n${n}.archives.test`);
const feeders = 8;
const settleMs = 60_000;
/** Time for one kill, the next start and the repetition. The start gives up after 60 s. */
const killMs = 30_000;
/**
 * Sends an archive in this many pieces with a pause after each, so that the test can kill the import before its end.
 */
const pieces = 100;
const pauseMs = 15;

/** An archive does not contain the times of receipt, and offsets differ between logs. */
const ofTheImport: ReadonlySet<string> = new Set([
  ...positionColumns,
  ...['factsets.timestamp', 'catalogs.timestamp', 'reports.receive_time'],
  ...['nodes.facts_timestamp', 'nodes.catalog_timestamp', 'nodes.report_timestamp'],
]);

interface ImportJson {
  readonly documents: number;
  readonly known: number;
}

let random: Seeded;
let room: string;
let source: WholeService;
/** The archive of the source, and the name of a file with it. */
let whole: Buffer;
let file: string;
/** The state after an import without interruptions. */
let expected: Dump;
const undo: (() => Promise<unknown>)[] = [];

async function opened(body: LogBody): Promise<WholeService> {
  const made = await WholeService.open(body);
  undo.push(() => made.close());
  return made;
}

const settle = ({ db, log }: WholeService): Promise<void> => settled(db, log, settleMs);
const recordsIn = async ({ log }: WholeService): Promise<number> =>
  [...(await log.ends()).values()].reduce((sum, end) => sum + end - 1, 0);

/** Submits documents of every kind. Some of the nodes are deactivated. */
async function feed(): Promise<void> {
  const commands = new RandomCommands({ random: random.fork(), from: Date.now() - 5 * 86_400_000 });
  const send = async (submitted: Parameters<typeof post>[1]): Promise<void> => {
    const answer = await post(source.url, submitted);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  const waiting = [...nodes.entries()];
  const feeder = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [index, certname] = next;
      for (const kind of ['facts', 'catalog', 'inputs', 'report', 'report', 'report'] as const)
        await send(commands.next(certname, kind));
      const at = stepTime(Date.now());
      if (index % 10 === 0) await send(submission({ do: 'deactivate', node: certname, at, zone: 'utc' }, certname));
      else await send(submission({ do: 'expiration', node: certname, at, facts: index % 2 === 0 }, certname));
    }
  };
  await Promise.all(Array.from({ length: feeders }, feeder));
}

/** Rejects if the answer is incomplete. */
async function archiveOf({ url }: WholeService, signal?: AbortSignal): Promise<Buffer> {
  const answer = await fetch(`${url}/pdb/admin/v1/archive`, { signal: signal ?? null });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(`${answer.status} ${bytes.toString()}`);
  return bytes;
}

const imported = ({ verbs, url }: WholeService): Promise<ImportJson> =>
  verbs.answer<ImportJson>('import', file, '--url', url);

/** Returns moments from 0 to 1 in random order: one in each of several equal parts of the work. */
const moments = (count: number): number[] =>
  random.shuffled(Array.from({ length: count }, (_, n) => (n + random.fraction()) / count));

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

beforeAll(async () => {
  random = Seeded.ofRun('archives');
  room = await temporaryDataDir();
  undo.push(() => rm(room, { recursive: true, force: true }));
  source = await opened('embedded');
  await feed();
  await settle(source);
  whole = await archiveOf(source);
  file = join(room, 'whole.tgz');
  await writeFile(file, whole);

  const inOneGo = await opened('embedded');
  expect((await imported(inOneGo)).known).toBe(0);
  await settle(inOneGo);
  expect(await archiveOf(inOneGo)).toEqual(whole);
  expected = await dumpOf(inOneGo.db, ofTheImport);
  await inOneGo.close();
}, 180_000);
afterAll(async () => {
  for (const step of undo.reverse()) await step();
}, 60_000);

test(
  'an export that is killed gives the same archive when it is repeated, and holds nothing on',
  async () => {
    const target = join(room, 'by-verb.tgz');
    const exportMs = await milliseconds(() => archiveOf(source));
    const verbMs = await milliseconds(() => source.verbs.answer('export', target));
    expect(await readFile(target)).toEqual(whole);
    await rm(target);
    let brokenOff = 0;
    const came = (archive: Buffer | undefined): void => {
      if (archive === undefined) brokenOff += 1;
      else expect(archive).toEqual(whole);
    };
    for (const [n, moment] of moments(kills).entries()) {
      // After that, the connection or the file may already have everything.
      const part = 0.8 * moment;
      if (n % 3 === 0) {
        const running = source.verbs.start('export', target);
        await delay(part * verbMs);
        running.signal('SIGKILL');
        await running.ended;
        came(await readFile(target).catch(() => undefined));
        await rm(target, { force: true });
        continue;
      }
      const leaving = new AbortController();
      const answer = archiveOf(source, leaving.signal).catch(() => undefined);
      await delay(part * exportMs);
      if (n % 3 === 1) await source.kill();
      else leaving.abort();
      came(await answer);
      if (n % 3 === 1) await source.restart();
      expect(await archiveOf(source)).toEqual(whole);
    }
    expect(brokenOff).toBeGreaterThan(0);
    await source.verbs.answer('export', target);
    expect(await readFile(target)).toEqual(whole);
    expect((await readdir(room)).filter((name) => name.includes('unfinished'))).toEqual([]);

    // Waits until no export runs, including those that were killed.
    const snapshot = await source.verbs.answer<SnapshotJson>('snapshot', '--history', '0', '--yes');
    expect(snapshot).toMatchObject({ nothingToDo: false });
    expect(await archiveOf(source)).toEqual(whole);
    console.log(`export: ${kills} kills, ${brokenOff} of them before it was whole (${Math.round(exportMs)} ms)`);
  },
  60_000 + kills * killMs,
);

/**
 * Sends the archive piece by piece, and calls `kill` after that share of it. Returns true if the service accepted the
 * whole archive.
 */
async function importUntil(
  { url }: WholeService,
  part: number,
  kill: (leave: () => void) => Promise<void>,
): Promise<boolean> {
  const leaving = new AbortController();
  let killed: Promise<void> | undefined;
  const slowly = async function* (): AsyncGenerator<Buffer> {
    const size = Math.ceil(whole.length / pieces);
    for (let at = 0; at < whole.length; at += size) {
      if (at >= part * whole.length) killed ??= kill(() => leaving.abort());
      yield whole.subarray(at, at + size);
      await delay(pauseMs);
    }
    killed ??= kill(() => leaving.abort());
  };
  const taken = await sendArchive({ url }, slowly(), leaving.signal).then(
    () => true,
    () => false,
  );
  await killed;
  return taken;
}

async function imports(body: LogBody): Promise<void> {
  const on = await opened(body);
  const clients = Math.ceil(kills / 5);
  const victims = random.shuffled([
    ...Array.from({ length: kills }, () => 'service' as const),
    ...Array.from({ length: clients }, () => 'client' as const),
  ]);
  const parts = moments(victims.length);
  let partly = 0;
  const startMs: number[] = [];
  for (const [n, victim] of victims.entries()) {
    const before = await recordsIn(on);
    const taken = await importUntil(on, parts[n]!, async (leave) => {
      await delay(random.whole(0, 2 * pauseMs));
      if (victim === 'client') leave();
      else await on.kill();
    });
    if (!taken && (await recordsIn(on)) > before) partly += 1;
    if (victim === 'service') startMs.push(await milliseconds(() => on.restart()));
  }
  expect(partly).toBeGreaterThan(0);

  const verb = on.verbs.start('import', file, '--url', on.url);
  await delay(random.whole(300, 1_000));
  verb.signal('SIGKILL');
  await verb.ended;

  // An import skips documents that the tables have. A projector that has just started on Kafka needs some seconds until
  // it has applied the log.
  await settle(on);
  const last = await imported(on);
  expect(last.known).toBeGreaterThan(0);
  const settledMs = await milliseconds(() => settle(on));
  expect(await dumpOf(on.db, ofTheImport)).toEqual(expected);
  expect(await archiveOf(on)).toEqual(whole);
  expect(await on.verbs.answer<VerifyJson>('verify')).toMatchObject({ counted: 0, differences: [] });
  const records = await recordsIn(on);
  console.log(
    `import, ${body}: ${kills} kills of the service, ${clients + 1} of its clients, ${partly} of them with documents stored; the last import ` +
      `found ${last.known} of ${last.documents} documents; ${records} records in the log, ${rowsIn(expected)} rows the same; ` +
      `a start took ${Math.round(Math.max(...startMs))} ms at most, the tables were complete ${Math.round(settledMs)} ms after the answer`,
  );
  await on.close();
}

const importMs = 60_000 + kills * killMs;

test('an import that is killed gives the same tables when it is repeated', () => imports('embedded'), importMs);

if (longRun !== undefined) {
  describeWithKafka('with the log on Kafka', () => {
    test('an import that is killed gives the same tables when it is repeated', () => imports('kafka'), importMs);
  });
}
