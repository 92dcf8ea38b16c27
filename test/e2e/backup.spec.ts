/** Tests `nodeledger backup` and `restore` as processes: killed, repeated, and restored onto both logs. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Manifest } from '#backup';
import { builtProgram } from '../support/built';
import { factset, report, event } from '../support/documents';
import { describeWithKafka, freshTopic, kafkaBrokers } from '../support/kafka';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { ownEnvironment } from './own-environment';
import { refusedStart, startService, temporaryDataDir, type RunningService } from './service';
import { runVerb, startVerb } from './verb';

let fresh: FreshDatabase;
let room: string;
let dir: string;
let service: RunningService;
let source: Record<string, string>;
const undo: (() => Promise<unknown>)[] = [];

async function post(command: string, version: number, certname: string, payload: object): Promise<void> {
  const parameters = new URLSearchParams({ command, version: String(version), certname });
  const answer = await fetch(`${service.url}/pdb/cmd/v1?${parameters}&secondsToWaitForCompletion=20`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
  });
  if (answer.status !== 200 && answer.status !== 503) throw new Error(`${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

/** For JSON.stringify: lists inside of rows have no order either. */
const inOrder = (_key: string, value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value;

/** Returns the answers to queries of every entity, without the parts that differ between servers. */
async function answers({ url }: RunningService): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const entity of ['nodes', 'factsets', 'facts', 'fact-contents', 'reports', 'events']) {
    const rows = (await (await fetch(`${url}/pdb/query/v4/${entity}`)).json()) as object[];
    found[entity] = rows.map((row) => JSON.stringify(row, inOrder)).sort();
  }
  const letters = (await (await fetch(`${url}/nodeledger/v1/dead-letters`)).json()) as object;
  return { ...found, letters: [JSON.stringify(letters)] };
}

const manifest = async (): Promise<Manifest> =>
  JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')) as Manifest;

beforeAll(async () => {
  fresh = await freshDatabase();
  room = await temporaryDataDir();
  dir = join(room, 'backup');
  source = { DATABASE_URL: fresh.connectionString, NODELEDGER_DATA_DIR: room, NODELEDGER_LOG_PARTITIONS: '3' };
  service = await startService({ dataDir: room, env: source });
  undo.push(
    () => fresh.drop(),
    () => rm(room, { recursive: true, force: true }),
    () => service.stop(),
  );
}, 120_000);
afterAll(async () => {
  for (const step of undo.reverse()) await step();
}, 60_000);

let expected: Record<string, string[]>;

test('a backup beside a busy service, killed at three moments, is completed by the next one', async () => {
  const stop = new AbortController();
  let sent = 0;
  const submitting = (async () => {
    for (; !stop.signal.aborted; sent++) {
      const certname = `n${sent % 7}.test`;
      await post('replace_facts', 5, certname, factset(certname, { sent, os: { family: 'Debian' } }));
    }
  })();
  for (const moment of [300, 700, 1100]) {
    const killed = startVerb(['backup', dir], room, source);
    await delay(moment);
    killed.signal('SIGKILL');
    await killed.ended;
  }
  const first = await runVerb(['backup', dir], room, source);
  expect([first.code, first.stderr]).toEqual([0, '']);
  const before = (await manifest()).log.tail.map(({ file }) => file);
  expect(sent).toBeGreaterThan(0);
  stop.abort();
  await submitting;
  await post('store_report', 8, 'n1.test', report('n1.test', [event('ensure')]));
  await post('replace_facts', 5, 'n2.test', { certname: 'n2.test' });

  const second = await runVerb(['backup', dir], room, source);
  expect(second.code).toBe(0);
  const { written, records } = JSON.parse(second.stdout) as { written: number; records: number };
  expect(written).toBeLessThan(records);
  expect((await manifest()).log.tail.map(({ file }) => file)).toEqual(expect.arrayContaining(before));
  const checked = await runVerb(['backup', '--check', dir], room);
  expect([checked.code, JSON.parse(checked.stdout)]).toMatchObject([0, { whole: true }]);
  expected = await answers(service);
  expect(expected['facts']!.length).toBeGreaterThan(0);
}, 180_000);

test('the commands of the systemd unit back up, check, and keep a copy of the day; after damage, they stop and keep the older copy', async () => {
  const unit = await readFile(join(__dirname, '../../deploy/systemd/nodeledger-backup.service'), 'utf8');
  const nightly = join(room, 'nightly');
  await mkdir(nightly);
  const commands = [...unit.matchAll(/^ExecStart=(.*)$/gm)].map(([, command = '']) =>
    command
      .replaceAll('$$', '$')
      .replaceAll('%%', '%')
      .replaceAll('/srv/backup/nodeledger', nightly)
      .replace('/opt/nodeledger/node_modules/.bin/nodeledger', `'${process.execPath}' '${builtProgram('cli')}'`),
  );
  expect(commands).toHaveLength(3);
  // As in systemd, the first command that fails ends the script.
  const run = (...ones: string[]): Promise<unknown> =>
    promisify(execFile)('/bin/sh', ['-ec', ones.join('\n')], { env: ownEnvironment(source) });
  await run(...commands);
  const day = (await readdir(nightly)).find((name) => name.startsWith('day-')) ?? '';
  const copied = await readFile(join(nightly, day, 'manifest.json'), 'utf8');
  expect(copied).toBe(await readFile(join(nightly, 'latest/manifest.json'), 'utf8'));
  await run(...commands);
  expect((await runVerb(['backup', '--check', join(nightly, day)], room)).code).toBe(0);

  const kept = await readFile(join(nightly, day, 'manifest.json'), 'utf8');
  const { file } = (JSON.parse(kept) as Manifest).log.tail[0]!;
  const bytes = await readFile(join(nightly, 'latest', file));
  bytes[20]! ^= 1;
  // Writes another file, because the copy of the day is a hard link to this one.
  await rm(join(nightly, 'latest', file));
  await writeFile(join(nightly, 'latest', file), bytes);
  await expect(run(...commands)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the file has other content') as string,
  });
  expect(await readFile(join(nightly, day, 'manifest.json'), 'utf8')).toBe(kept);
}, 180_000);

test('it is restored into a new data directory, from where a service goes on', async () => {
  const restored = join(room, 'restored');
  const env = { NODELEDGER_DATA_DIR: restored };
  const run = await runVerb(['restore', dir], room, env);
  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('rror')]);
  const other = await startService({ dataDir: room, env });
  try {
    expect(await answers(other)).toEqual(expected);
    const again = await runVerb(['restore', dir], room, env);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/holds data of nodeledger already.*\n.*empty/),
    ]);
    expect((await runVerb(['verify'], room, env)).code).toBe(0);
  } finally {
    await other.stop();
  }
}, 180_000);

describeWithKafka('with the log on Kafka', () => {
  test('it is restored into a new topic; a restore that was killed keeps services away', async () => {
    const target = await freshDatabase();
    undo.unshift(() => target.drop());
    const brokers = ((await kafkaBrokers()) as string[]).join(',');
    const env = { DATABASE_URL: target.connectionString, NODELEDGER_DATA_DIR: room, KAFKA_BROKERS: brokers };
    const first = { ...env, NODELEDGER_LOG_TOPIC: freshTopic() };
    const killed = startVerb(['restore', dir], room, first);
    // Called when the restore checks the new topic, which is after its begin.
    await killed.said(/replication factor/);
    killed.signal('SIGKILL');
    await killed.ended;
    const refused = await refusedStart({ dataDir: room, env: first });
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringMatching(/a restore into this database has not ended/),
    ]);
    const same = await runVerb(['restore', dir], room, first);
    expect([same.code, same.stderr]).toEqual([1, expect.stringMatching(/exists already/)]);

    const second = { ...env, NODELEDGER_LOG_TOPIC: freshTopic() };
    const run = await runVerb(['restore', dir], room, second);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('is removed, and begun anew')]);
    const other = await startService({ dataDir: room, env: second });
    try {
      expect(await answers(other)).toEqual(expected);
    } finally {
      await other.stop();
    }
  }, 240_000);
});

test('a damaged backup is named, and nothing is restored from it', async () => {
  const file = (await manifest()).log.tail[0]?.file ?? '';
  await truncate(join(dir, file), 20);
  const empty = join(room, 'untouched');
  for (const verb of [
    ['backup', '--check', dir],
    ['restore', dir],
  ]) {
    const run = await runVerb(verb, room, { NODELEDGER_DATA_DIR: empty });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(`${join(dir, file)}: the file has 20 bytes`)]);
  }
  await expect(readFile(join(empty, 'PG_VERSION'))).rejects.toMatchObject({ code: 'ENOENT' });
}, 120_000);
