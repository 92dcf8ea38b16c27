/**
 * Tests the service with a PostgreSQL from DATABASE_URL: several services at once, damaged positions, a projector that
 * fails.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { Database } from '#database';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { refusedStart, startService, temporaryDataDir, type RunningService } from './service';
import { until } from '../support/until';

let fresh: FreshDatabase;
let db: Database;
let dataDir: string;
let env: Record<string, string>;

beforeAll(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 2, applicationName: 'test' });
  dataDir = await temporaryDataDir();
  env = { DATABASE_URL: fresh.connectionString };
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const sql = (text: string, ...values: unknown[]): Promise<unknown[]> => db.query({ text, values });

async function submit(
  { url }: RunningService,
  certname: string,
  waitSeconds: number,
): Promise<Record<string, unknown>> {
  const payload = {
    certname,
    environment: 'production',
    producer: null,
    producer_timestamp: new Date().toISOString(),
    values: { role: 'web' },
  };
  const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname });
  if (waitSeconds > 0) parameters.set('secondsToWaitForCompletion', String(waitSeconds));
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(payload),
  });
  return (await answer.json()) as Record<string, unknown>;
}
async function certnames({ url }: RunningService): Promise<string[]> {
  const nodes = (await (await fetch(`${url}/pdb/query/v4/nodes`)).json()) as { certname: string }[];
  return nodes.map(({ certname }) => certname).sort();
}
async function queueDepth({ url }: RunningService): Promise<number> {
  const answer = await fetch(`${url}/status/v1/services/puppetdb-status`);
  return ((await answer.json()) as { status: { queue_depth: number } }).status.queue_depth;
}

test('two services over one database take commands for each other', async () => {
  const services = await Promise.all([startService({ dataDir, env }), startService({ dataDir, env })]);
  try {
    const sent = services.flatMap((service, s) =>
      Array.from({ length: 30 }, (_, n) => submit(service, `n${n}.service${s}.test`, 20)),
    );
    for (const answer of await Promise.all(sent)) expect(answer).toMatchObject({ processed: true, timed_out: false });
    const [first, second] = await Promise.all(services.map(certnames));
    expect(first).toHaveLength(60);
    expect(second).toEqual(first);
  } finally {
    expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
  }
});

test('a projector that fails is restarted until it succeeds; commands are accepted meanwhile', async () => {
  const service = await startService({ dataDir, env });
  try {
    const [{ id }] = (await sql('SELECT DISTINCT log_id::text AS id FROM nodeledger.positions')) as [{ id: string }];
    await sql('UPDATE nodeledger.positions SET log_id = $1', randomUUID());
    // Breaks its connections, so that it reads its positions again.
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND application_name = 'nodeledger projector'`);
    const failed = async (): Promise<boolean> => {
      await submit(service, 'during.test', 0);
      return service.output().includes('The projector has ended');
    };
    await until(failed, { everyMs: 100, what: 'the end of the projector' });
    expect(service.output()).toContain('projections.foreign-log');
    expect(await submit(service, 'during.test', 0.3)).toMatchObject({ processed: false, timed_out: true });
    expect(await queueDepth(service)).toBeGreaterThan(0);

    await sql('UPDATE nodeledger.positions SET log_id = $1', id);
    expect(await submit(service, 'after.test', 20)).toMatchObject({ processed: true });
    await until(async () => (await queueDepth(service)) === 0, { everyMs: 100, what: 'an empty queue' });
    expect(await certnames(service)).toEqual(expect.arrayContaining(['after.test', 'during.test']));
  } finally {
    expect(await service.stop()).toBe(0);
  }
});

test('read tables of another log, or past the end of this one, are refused and left as they are', async () => {
  const before = await sql('SELECT * FROM nodeledger.positions ORDER BY log_partition');
  await sql('UPDATE nodeledger.positions SET next_offset = next_offset + 1000 WHERE log_partition = 3');
  const past = await refusedStart({ dataDir, env });
  expect([past.code, past.output]).toEqual([
    1,
    expect.stringMatching(/partition 3 .*but the log ends at .*\n.*DATABASE_URL/),
  ]);
  await sql('UPDATE nodeledger.positions SET next_offset = next_offset - 1000 WHERE log_partition = 3');
  const other = randomUUID();
  await sql('UPDATE nodeledger.positions SET log_id = $1', other);
  const foreign = await refusedStart({ dataDir, env });
  expect([foreign.code, foreign.output]).toEqual([1, expect.stringContaining(`were made from log ${other}`)]);
  const [row] = before as { log_id: string }[];
  await sql('UPDATE nodeledger.positions SET log_id = $1', row?.log_id);
  expect(await sql('SELECT * FROM nodeledger.positions ORDER BY log_partition')).toEqual(before);
  const service = await startService({ dataDir, env });
  expect(await service.stop()).toBe(0);
});
