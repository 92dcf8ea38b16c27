/**
 * A service with two projector threads, which share the partitions. A rebuild, also with two threads, gives the same
 * tables.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { Database, EmbeddedPostgres } from '#database';
import { factset } from '../support/documents';
import { until } from '../support/until';
import { startService, temporaryDataDir, type RunningService } from './service';
import { type RunningVerb, runVerb, startVerb } from './verb';

const nodes = Array.from({ length: 60 }, (_, number) => `node${number}.test`);
const rounds = 4;

let dataDir: string;
let service: RunningService;
const env = { NODELEDGER_PROJECTOR_THREADS: '2' };
beforeAll(async () => {
  dataDir = await temporaryDataDir();
  service = await startService({ dataDir, env });
});
afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function submit(certname: string, round: number, waitSeconds: number): Promise<number> {
  const parameters = new URLSearchParams({ command: 'replace_facts', version: '5', certname });
  parameters.set('secondsToWaitForCompletion', String(waitSeconds));
  const facts = { round, [`own_${certname}`]: { shared: [round, certname] }, ...(round % 2 === 0 && { even: true }) };
  const response = await fetch(`${service.url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(factset(certname, facts)),
  });
  await response.text();
  return response.status;
}

/** Returns the number of commands of each thread, as far as the times of the threads show it. */
async function busySeconds(): Promise<Record<string, number>> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const lines = text.matchAll(/^nodeledger_event_loop_busy_seconds_total\{thread="([^"]+)"\} (\S+)$/gm);
  return Object.fromEntries([...lines].map(([, thread = '', seconds]) => [thread, Number(seconds)]));
}

test('both threads apply commands, and queries show all of them', async () => {
  for (let round = 1; round <= rounds; round++) {
    expect(new Set(await Promise.all(nodes.map((node) => submit(node, round, 60))))).toEqual(new Set([200]));
  }
  const answer = await fetch(`${service.url}/pdb/query/v4/facts/round`);
  const values = ((await answer.json()) as { certname: string; value: number }[]).map(({ certname, value }) => [
    certname,
    value,
  ]);
  expect(values.sort()).toEqual(nodes.map((node) => [node, rounds]).sort());
  await until(async () => Object.keys(await busySeconds()).includes('projector-2'), {
    what: 'the second thread is measured',
  });
  const busy = await busySeconds();
  expect(Object.keys(busy).sort()).toEqual(['main', 'projector', 'projector-2']);
  const status = await fetch(`${service.url}/status/v1/simple`);
  expect([status.status, await status.text()]).toEqual([200, 'running']);
});

// Only Linux has priorities of threads.
(process.platform === 'linux' ? test : test.skip)('requests go before them', async () => {
  const tasks = `/proc/${service.pid}/task`;
  const stats = await Promise.all((await readdir(tasks)).map((id) => readFile(`${tasks}/${id}/stat`, 'utf8')));
  // See proc(5): the nice value is the 17th number after the name, which is in parentheses.
  const nice = stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
  const main = getPriority(service.pid);
  const lower = Math.min(19, main + 5);
  expect(nice.filter((value) => value === lower)).toHaveLength(2);
  expect(new Set(nice)).toEqual(new Set([main, lower]));
});

test('a rebuild gives the same tables', async () => {
  const verdict = await runVerb(['verify', '--data-dir', dataDir], dataDir, env);
  expect([verdict.stderr, verdict.code]).toEqual([expect.any(String), 0]);
});

describe('a long rebuild', () => {
  /** A replay of 3,000 records or more uses threads. */
  const moreRounds = 52;

  beforeAll(async () => {
    for (let round = rounds + 1; round <= rounds + moreRounds; round++) {
      const wait = round === rounds + moreRounds ? 60 : 0;
      expect(new Set(await Promise.all(nodes.map((node) => submit(node, round, wait))))).toEqual(new Set([200]));
    }
  }, 120_000);

  async function sql<R>(text: string, place = dataDir): Promise<R[]> {
    const server = await EmbeddedPostgres.running(place);
    const db = new Database({ connectionString: server!.connectionString, max: 1, applicationName: 'test' });
    return db.query<R>({ text, values: [] }).finally(() => db.close());
  }
  /** Returns the number of connected replay threads. */
  const threads = async (place?: string): Promise<number> =>
    (
      await sql(
        `SELECT DISTINCT application_name FROM pg_stat_activity WHERE application_name LIKE 'nodeledger replay %'`,
        place,
      )
    ).length;
  /** Starts a rebuild. Resolves when both of its threads work. */
  async function startRebuild(): Promise<RunningVerb> {
    const running = startVerb(['rebuild', '--data-dir', dataDir], dataDir, env);
    await until(async () => (await threads()) === 2, { what: 'both threads have begun' });
    return running;
  }

  const order = encodeURIComponent(JSON.stringify([{ field: 'certname' }]));
  const values = async (): Promise<unknown> =>
    (await fetch(`${service.url}/pdb/query/v4/facts/round?order_by=${order}`)).json();

  test('can be stopped and resumed, and gives the same tables', async () => {
    const before = await values();
    const stopped = await startRebuild();
    stopped.signal('SIGINT');
    const { code, stderr } = await stopped.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining('nodeledger rebuild --resume') as string]);
    await until(async () => (await threads()) === 0, { what: 'both threads have ended' });
    const resumed = await runVerb(['rebuild', '--resume', '--data-dir', dataDir], dataDir, env);
    expect([resumed.stderr, resumed.code]).toEqual([expect.any(String), 0]);
    const { switched, comparison } = JSON.parse(resumed.stdout) as { switched: boolean; comparison: object };
    expect(switched).toBe(true);
    expect(comparison).toMatchObject({ counted: 0 });
    expect(await values()).toEqual(before);
  });

  test('a restore has the same threads, and gives the same tables', async () => {
    const target = join(dataDir, 'restored');
    const backup = join(dataDir, 'backup');
    expect((await runVerb(['backup', backup, '--data-dir', dataDir], dataDir, env)).code).toBe(0);
    const restoring = startVerb(['restore', backup, '--data-dir', target], dataDir, env);
    await restoring.said(/restoring 3,\d{3} records with 2 threads/);
    await until(async () => (await threads(target).catch(() => 0)) === 2, { what: 'both threads have begun' });
    const { code, stderr } = await restoring.ended;
    expect([stderr, code]).toEqual([expect.any(String), 0]);
    expect((await runVerb(['verify', '--data-dir', target], dataDir, env)).code).toBe(0);
  });

  test('ends with the error of a thread', async () => {
    const running = await startRebuild();
    await sql(`UPDATE nodeledger.generations SET state = 'retired' WHERE state = 'building'`);
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining('is no longer filled') as string]);
    expect((await runVerb(['verify', '--data-dir', dataDir], dataDir, env)).code).toBe(0);
  });
});
