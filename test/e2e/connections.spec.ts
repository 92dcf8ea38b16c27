/** The embedded PostgreSQL gets `max_connections` by a count of the pools of a service. */
import { rm } from 'node:fs/promises';
import { Database, statement } from '#database';
import { mostConnections } from '../../apps/server/open-database';
import { ownPools } from '../../apps/server/own-pools';
import { webhookSettings } from '../chaos/webhook-settings';
import { ChangeLoad } from '../support/change-load';
import { freshDatabase } from '../support/postgres';
import { startService, temporaryDataDir } from './service';

const projectorThreads = 4;

test('the pools of a service with four projector threads are counted, and it has no other connections', async () => {
  const dataDir = await temporaryDataDir();
  const fresh = await freshDatabase();
  const db = new Database({ connectionString: fresh.connectionString, max: 1, applicationName: 'test' });
  const env = {
    DATABASE_URL: fresh.connectionString,
    NODELEDGER_PROJECTOR_THREADS: String(projectorThreads),
    ...(await webhookSettings(dataDir)),
  };
  const service = await startService({ dataDir, env });
  try {
    const load = new ChangeLoad({ url: () => service.url, nodes: 40 });
    await load.more(400);
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${service.url}/pdb/query/v4/nodes`)));
    await Promise.all(['/metrics', '/status/v1/services'].map((path) => fetch(service.url + path)));
    const pools = await db.query<{ name: string; count: number }>(statement`
      SELECT application_name AS name, count(*) AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name <> 'test' GROUP BY 1`);
    await load.stop();
    const counted = ['read', 'write', 'projector', 'watch', ...Object.keys(ownPools)].map(
      (name) => `nodeledger ${name}`,
    );
    expect(pools.map(({ name }) => name).filter((name) => !counted.includes(name))).toEqual([]);
    const open = pools.reduce((sum, { count }) => sum + Number(count), 0);
    expect(open).toBeGreaterThan(projectorThreads);
    expect(open).toBeLessThanOrEqual(mostConnections({ readPoolSize: 10, writePoolSize: 8, projectorThreads }));
  } finally {
    await service.stop();
    await db.close();
    await fresh.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 120_000);
