/**
 * Tests that the service takes over a database with read tables of an older version, without a loss and without manual
 * steps.
 */
import { rm } from 'node:fs/promises';
import { Database } from '#database';
import { projectionVersion } from '#projections';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { startService, temporaryDataDir } from './service';

let fresh: FreshDatabase;
let dataDir: string;
let db: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  dataDir = await temporaryDataDir();
  db = new Database({ connectionString: fresh.connectionString, max: 2 });
});
afterAll(async () => {
  await db.close();
  await fresh.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const run = (text: string): Promise<unknown[]> => db.query({ text, values: [] });

it('rebuilds the tables of form 1 when it starts', async () => {
  const env = { DATABASE_URL: fresh.connectionString, NODELEDGER_LOG_PARTITIONS: '2', NODELEDGER_GC_INTERVAL: '0' };
  const first = await startService({ dataDir, env });
  for (let n = 0; n < 30; n++) {
    const certname = `node-${n}`;
    const parameters = new URLSearchParams({ command: 'replace facts', version: '5', certname });
    if (n > 27) parameters.set('secondsToWaitForCompletion', '20');
    const payload = {
      certname,
      environment: 'e',
      producer: null,
      producer_timestamp: '2026-01-01T00:00:00Z',
      values: { n },
    };
    const answer = await fetch(`${first.url}/pdb/cmd/v1?${parameters}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  const query = `${first.url}/pdb/query/v4/facts?order_by=${encodeURIComponent('[{"field":"certname"}]')}`;
  let before: unknown[] = [];
  for (let n = 0; n < 100 && before.length < 30; n++) before = (await (await fetch(query)).json()) as unknown[];
  expect(before).toHaveLength(30);
  await first.stop();

  // Form 1 had no place of what decided a node's life; the migration that makes room for bases came with form 2, the
  // cut-off of an expiry with form 3.
  await run('ALTER TABLE gen_1.nodes DROP COLUMN log_partition, DROP COLUMN log_offset, DROP COLUMN expired_cutoff');
  await run('UPDATE nodeledger.generations SET projection_version = 1');
  const second = await startService({ dataDir, env });
  const after = await fetch(query.replace(first.url, second.url));
  expect(await after.json()).toEqual(before);
  expect(second.output()).toMatch(/older form/);
  const metrics = await (await fetch(`${second.url}/metrics`)).text();
  expect(metrics).toMatch(/^nodeledger_replayed_records_total\{verb="rebuild"\} 30(\.0)?$/m);
  expect(await second.stop()).toBe(0);
  expect(await run('SELECT projection_version AS form, state FROM nodeledger.generations ORDER BY generation')).toEqual(
    [
      { form: 1, state: 'retired' },
      { form: projectionVersion, state: 'live' },
    ],
  );
});
