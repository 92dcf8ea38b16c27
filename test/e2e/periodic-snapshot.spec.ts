/** Tests that the service shortens its log by itself and continues meanwhile. */
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '#database';
import { factset } from '../support/documents';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { startService, temporaryDataDir, type RunningService } from './service';

let fresh: FreshDatabase;
let dataDir: string;
let db: Database;
let service: RunningService;

beforeAll(async () => {
  fresh = await freshDatabase();
  dataDir = await temporaryDataDir();
  db = new Database({ connectionString: fresh.connectionString, max: 2 });
  const env = {
    DATABASE_URL: fresh.connectionString,
    NODELEDGER_LOG_PARTITIONS: '2',
    NODELEDGER_GC_INTERVAL: '0',
    NODELEDGER_SNAPSHOT_INTERVAL: '1s',
    NODELEDGER_LOG_HISTORY: '0',
  };
  service = await startService({ dataDir, env });
});
afterAll(async () => {
  await service.stop();
  await db.close();
  await fresh.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function submit(certname: string, n: number): Promise<number> {
  const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname });
  const answer = await fetch(`${service.url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      factset(certname, { n }, { producer_timestamp: new Date(Date.UTC(2026, 0, 1) + n).toISOString() }),
    ),
  });
  await answer.text();
  return answer.status;
}

it('keeps what counts', async () => {
  const inLog = async (): Promise<number> => {
    const [row] = await db.query<{ n: number }>({
      text: `SELECT (SELECT count(*) FROM nodeledger.log_records WHERE log_offset > 0)::int
               + (SELECT count(*) FROM nodeledger.log_base_records)::int AS n`,
      values: [],
    });
    return row!.n;
  };
  let sent = 0;
  for (const deadline = Date.now() + 4_000; Date.now() < deadline || sent <= 50;)
    expect(await submit(`node-${sent % 5}`, sent++)).toBe(200);
  for (const deadline = Date.now() + 40_000; (await inLog()) > 5 && Date.now() < deadline;) await delay(200);
  expect(await inLog()).toBe(5);
  const answer = await fetch(`${service.url}/pdb/query/v4/facts/n`);
  const values = ((await answer.json()) as { value: number }[]).map(({ value }) => value);
  expect(values.sort((a, b) => a - b)).toEqual([5, 4, 3, 2, 1].map((behind) => sent - behind));
  expect(service.output()).not.toMatch(/"level":(50|60)/);
  // Each snapshot makes tables from the log, and compares them.
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const [, replayed] = /^nodeledger_replayed_records_total\{verb="snapshot"\} (\S+)$/m.exec(metrics) ?? [];
  expect(Number(replayed)).toBeGreaterThanOrEqual(sent);
}, 90_000);

it('shortens the history when the log is larger than NODELEDGER_LOG_MAX_BYTES, and says how far it reaches', async () => {
  const own = await freshDatabase();
  const place = await temporaryDataDir();
  const limited = await startService({
    dataDir: place,
    env: {
      DATABASE_URL: own.connectionString,
      NODELEDGER_LOG_PARTITIONS: '1',
      NODELEDGER_GC_INTERVAL: '0',
      NODELEDGER_SNAPSHOT_INTERVAL: '1s',
      NODELEDGER_LOG_MAX_BYTES: '1MB',
    },
  });
  try {
    const storage = async (): Promise<{ log_since: string | null }> => {
      const answer = await fetch(`${limited.url}/status/v1/services/puppetdb-status`);
      return ((await answer.json()) as { status: { storage: { log_since: string | null } } }).status.storage;
    };
    const value = (n: number): string => Array.from({ length: 5_000 }, (_, i) => Math.sin(n * 5_000 + i)).join();
    const began = new Date().toISOString();
    let sent = 0;
    for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
      const time = new Date(Date.UTC(2026, 0, 1) + sent).toISOString();
      const answer = await fetch(
        `${limited.url}/pdb/cmd/v1?command=replace_facts&version=5&certname=node-${sent % 5}`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(factset(`node-${sent % 5}`, { value: value(sent++) }, { producer_timestamp: time })),
        },
      );
      expect(answer.status).toBe(200);
      await answer.text();
      const { log_since: since } = await storage();
      if (sent > 30 && since !== null && Date.parse(since) > Date.parse(began) + 1_000) return;
      await delay(100);
    }
    throw new Error(`the history was not shortened after ${sent} commands`);
  } finally {
    await limited.stop();
    await own.drop();
    await rm(place, { recursive: true, force: true });
  }
}, 120_000);
