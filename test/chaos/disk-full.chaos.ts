/**
 * Fills the disk of the service and its embedded PostgreSQL. When space is free again, every acknowledged command must
 * be applied, and nothing else may have been acknowledged. Needs a small file system, which only root can mount.
 */
import { randomBytes } from 'node:crypto';
import { chown, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '#database';
import { startService, temporaryDataDir, type RunningService } from '../e2e/service';
import { OwnPostgres } from './own-postgres';
import { askQuery } from '../support/ask-query';
import { SmallDisk } from '../support/small-disk';
import { tellSkipped } from '../support/tell-skipped';
import { stays, until } from '../support/until';

const sizeMb = 300;
const roomyMb = 2_000;
const payloadBytes = 400_000;
const mostCommands = 2_000;

let disk: SmallDisk | undefined;

beforeAll(async () => {
  disk = await SmallDisk.mount(sizeMb);
});
afterAll(() => disk?.remove());

const env = { NODELEDGER_GC_INTERVAL: '0', NODELEDGER_SNAPSHOT_INTERVAL: '0', NODELEDGER_LOG_PARTITIONS: '3' };
const certnameOf = (n: number): string => `disk-${n}.test`;

interface Answer {
  /** 0: no answer. */
  readonly status: number;
  /** The code of the error. */
  readonly code: string | null;
}

async function submit({ url }: RunningService, n: number, bytes = payloadBytes): Promise<Answer> {
  const certname = certnameOf(n);
  const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname });
  const body = JSON.stringify({
    certname,
    environment: 'production',
    producer: null,
    producer_timestamp: new Date().toISOString(),
    // Split into parts, because an index row is limited in size.
    values: { n, parts: Array.from({ length: bytes / 1000 }, () => randomBytes(375).toString('hex')) },
  });
  try {
    const answer = await fetch(`${url}/pdb/cmd/v1?${parameters}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(60_000),
    });
    await answer.text();
    return { status: answer.status, code: answer.headers.get('x-nodeledger-error') };
  } catch {
    return { status: 0, code: null };
  }
}

/** Submits until 20 commands were refused. */
async function fill(service: RunningService, on: SmallDisk): Promise<{ acknowledged: number[]; failures: Answer[] }> {
  const acknowledged: number[] = [];
  const failures: Answer[] = [];
  for (let n = 0; n < mostCommands && failures.length < 20; n++) {
    const answer = await submit(service, n);
    if (answer.status === 200) acknowledged.push(n);
    else failures.push(answer);
  }
  const codes = [...new Set(failures.map(({ status, code }) => `${status} ${code}`))].join(', ');
  const free = Math.round((await on.freeBytes()) / 1e6);
  console.log(`${acknowledged.length} acknowledged, then ${codes}; ${free} MB free of ${sizeMb}`);
  expect(acknowledged.length).toBeGreaterThan(20);
  expect(failures).toHaveLength(20);
  return { acknowledged, failures };
}

/** Submits a small command until the service accepts it. Waits until queries show it and all acknowledged commands. */
async function expectAll(service: RunningService, acknowledged: readonly number[]): Promise<void> {
  await until(async () => (await submit(service, mostCommands, 1000)).status === 200, {
    what: 'a command is accepted again',
    withinMs: 60_000,
    everyMs: 500,
  });
  const missing = new Set([...acknowledged, mostCommands].map(certnameOf));
  await until(
    async () => {
      const answer = await fetch(`${service.url}/pdb/query/v4/facts/n`);
      const text = await answer.text();
      // PostgreSQL may be starting again.
      if (answer.status === 503) return false;
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
      for (const { certname } of JSON.parse(text) as { certname: string }[]) missing.delete(certname);
      return missing.size === 0;
    },
    { what: 'queries show every acknowledged command', withinMs: 120_000, everyMs: 500 },
  );
}

it('refuses commands before the disk is full, loses none that it acknowledged, and accepts them again when there is space', async () => {
  if (disk === undefined) {
    return tellSkipped(
      'a small file system cannot be mounted here (root on Linux can)',
      'NODELEDGER_REQUIRE_SMALL_DISK',
    );
  }
  const service = await startService({
    dataDir: disk.path,
    env: { ...env, NODELEDGER_DATA_DIR: join(disk.path, 'data') },
  });
  try {
    const { acknowledged, failures } = await fill(service, disk);
    expect(failures).toEqual(failures.map(() => ({ status: 503, code: 'database.disk-low' })));
    // The service applies every accepted command while it refuses new ones.
    await until(async () => (await askQuery(service, 'nodes')).length === acknowledged.length, {
      what: 'queries show every acknowledged command',
      withinMs: 60_000,
      everyMs: 200,
    });
    console.log(`${Math.round((await disk.freeBytes()) / 1e6)} MB free when all are applied`);
    expect(await disk.freeBytes()).toBeGreaterThan(0);
    disk.enlarge(roomyMb);
    await expectAll(service, acknowledged);
  } finally {
    await service.stop();
  }
}, 300_000);

it('without a reserve, loses nothing that was acknowledged when the disk is full', async () => {
  if (disk === undefined) return;
  disk.empty();
  const settings = { ...env, NODELEDGER_DATA_DIR: join(disk.path, 'data'), NODELEDGER_MIN_FREE_DISK: '0' };
  let service = await startService({ dataDir: disk.path, env: settings });
  const { acknowledged, failures } = await fill(service, disk);
  // The service refused the commands or had ended. No other answer is correct.
  expect(failures.filter(({ status, code }) => ![0, 503].includes(status) || code === 'database.disk-low')).toEqual([]);

  // The service may have ended or may still end, because PostgreSQL ends if it has no space for its write-ahead log.
  await delay(3_000);
  disk.enlarge(roomyMb);
  if ((await submit(service, mostCommands, 1000)).status === 0) {
    const code = await service.stop();
    expect(service.output()).toMatch(/PostgreSQL has ended unexpectedly/);
    console.log(`the service had ended with ${code} and said why`);
    service = await startService({ dataDir: disk.path, env: settings });
  }
  try {
    await expectAll(service, acknowledged);
  } finally {
    await service.stop();
  }
}, 300_000);

it('says so where the server goes on: an alert while it lasts, 503 to who submits, answers to who asks', async () => {
  if (disk === undefined) return;
  disk.empty();
  const postgres = await OwnPostgres.start();
  const dataDir = await temporaryDataDir();
  const server = new Database({ connectionString: postgres.connectionString, max: 1 });
  const run = (text: string): Promise<{ value: string }[]> => server.query({ text, values: [] });
  const tables = join(disk.path, 'tables');
  await mkdir(tables);
  const [place] = await run(`SELECT current_setting('data_directory') AS value`);
  await chown(tables, (await stat(place!.value)).uid, -1);
  // The write-ahead log is on another file system, so that the server does not end.
  await run(`CREATE TABLESPACE small LOCATION '${tables}'`);
  await run('CREATE DATABASE crowded TABLESPACE small');
  const url = new URL(postgres.connectionString);
  url.pathname = '/crowded';
  const service = await startService({
    dataDir,
    env: { ...env, DATABASE_URL: url.href, NODELEDGER_LOG_LEVEL: 'info' },
  });
  const alerts = async (): Promise<{ code: string; message: string }[]> => {
    const answer = await fetch(`${service.url}/status/v1/services/puppetdb-status`);
    return ((await answer.json()) as { active_alerts: { code: string; message: string }[] }).active_alerts;
  };
  const untilAlerts = (codes: readonly string[]): Promise<void> =>
    until(async () => JSON.stringify((await alerts()).map(({ code }) => code)) === JSON.stringify(codes), {
      what: `the alerts ${JSON.stringify(codes)}`,
      withinMs: 120_000,
      everyMs: 200,
    });
  try {
    let refused = 0;
    for (let n = 0; n < mostCommands && refused < 10; n++) {
      const { status } = await submit(service, n);
      if (status !== 200) expect(status).toBe(503);
      if (status !== 200) refused++;
    }
    expect(refused).toBe(10);
    await untilAlerts(['database.full']);
    expect((await alerts())[0]?.message).toMatch(
      /^The disk of PostgreSQL \(127\.0\.0\.1:\d+, database crowded\) is full: .*No space left/,
    );
    const answer = await fetch(`${service.url}/pdb/query/v4/nodes`);
    expect(`${answer.status} ${await answer.text()}`).toMatch(/^200 /);
    // Longer than the alert needs to end if the problem does not occur again.
    await stays(async () => (await alerts()).map(({ code }) => code).join() === 'database.full', {
      forMs: 40_000,
      everyMs: 500,
      what: 'the alert database.full',
    });
    disk.enlarge(roomyMb);
    await untilAlerts([]);
    expect((await submit(service, mostCommands, 1000)).status).toBe(200);
    const lines = service
      .output()
      .split('\n')
      .filter((line) => line.includes('"code":"database.full"'));
    expect(lines.filter((line) => !line.includes('Still, for'))).toHaveLength(2);
    expect(service.output()).not.toContain('"stack"');
  } finally {
    await service.stop();
    await server.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 600_000);
