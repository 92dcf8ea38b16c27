/**
 * Kills the service, the projector, the process that streams, and the database under load. Subscribers connect again with
 * the id of their last event, and get each acknowledged change at least once, in order for each node.
 */
import { rm } from 'node:fs/promises';
import { KeptProcess } from '../chaos/kept-process';
import { OwnPostgres } from '../chaos/own-postgres';
import { ChangeLoad } from '../support/change-load';
import { Subscriber } from '../support/event-stream';
import { freePorts } from '../support/free-ports';
import { until } from '../support/until';
import { startService, temporaryDataDir, type RunningService } from './service';

/** How often each part is killed. NODELEDGER_STREAM_KILLS=10 is the long form. */
const kills = Number(process.env['NODELEDGER_STREAM_KILLS'] ?? 2);
const changesBetween = 60;
const path = '/nodeledger/v1/changes';

/** A process that is being started is not killed. */
async function killed(kept: KeptProcess): Promise<void> {
  await kept.running();
  await kept.kill();
}

test('a service that is killed: subscribers miss nothing', async () => {
  const dataDir = await temporaryDataDir();
  const [port = 0] = await freePorts(1);
  const base = `http://127.0.0.1:${port}`;
  const start = (): Promise<RunningService> => startService({ dataDir, env: { NODELEDGER_PORT: String(port) } });
  let service = await start();
  const subscribers = [
    new Subscriber(() => base + path),
    new Subscriber(() => base + path, { headers: { 'accept-encoding': 'gzip' } }),
    new Subscriber(() => `${base}${path}?kind=facts&query=${encodeURIComponent('["~","certname","changes"]')}`),
  ];
  try {
    for (const one of subscribers) await one.connected();
    const load = new ChangeLoad({ url: () => base });
    for (let kill = 0; kill < kills; kill++) {
      await load.more(changesBetween);
      await until(() => subscribers.every(({ connections }) => connections > kill), {
        what: 'all subscribers are back',
      });
      await service.kill();
      service = await start();
    }
    await load.more(changesBetween);
    await load.stop();
    for (const one of subscribers) await load.expectAll(one);
    console.info(
      `${load.count} changes, ${kills} kills of the service; events with repetitions: ${subscribers.map(({ events }) => events.length).join(', ')}`,
    );
  } finally {
    for (const one of subscribers) await one.stop();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 600_000);

test('the projector, the process that streams and the database are killed: subscribers miss nothing', async () => {
  const dataDir = await temporaryDataDir();
  const postgres = await OwnPostgres.start();
  const env = {
    DATABASE_URL: postgres.connectionString,
    NODELEDGER_LOG_PARTITIONS: '4',
    NODELEDGER_GC_INTERVAL: '0',
    NODELEDGER_SNAPSHOT_INTERVAL: '0',
  };
  const [commandApi, projector, queryApi] = (['command-api', 'projector', 'query-api'] as const).map(
    (app) => new KeptProcess({ dataDir, env, app }),
  ) as [KeptProcess, KeptProcess, KeptProcess];
  const subscribers = Array.from(
    { length: 3 },
    () => new Subscriber(async () => `${(await queryApi.running()).url}${path}`),
  );
  try {
    for (const one of subscribers) await one.connected();
    const load = new ChangeLoad({ url: async () => (await commandApi.running()).url });
    for (let round = 0; round < kills; round++) {
      await load.more(changesBetween);
      await killed(projector);
      await load.more(changesBetween);
      await killed(queryApi);
      await load.more(changesBetween);
      await postgres.restart('kill', 300);
    }
    await load.more(changesBetween);
    await load.stop();
    for (const one of subscribers) await load.expectAll(one);
    console.info(
      `${load.count} changes; ${projector.kills} kills of the projector, ${queryApi.kills} of the process that streams, ${kills} of the database`,
    );
    expect([projector.kills, queryApi.kills]).toEqual([kills, kills]);
  } finally {
    for (const one of subscribers) await one.stop();
    for (const one of [queryApi, projector, commandApi]) await one.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 600_000);
