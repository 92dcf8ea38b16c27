/** Kills the broker of the log while changes are streamed. Subscribers get each acknowledged change, in order for each node. */
import { rm } from 'node:fs/promises';
import { temporaryDataDir } from '../e2e/service';
import { ChangeLoad } from '../support/change-load';
import { Subscriber } from '../support/event-stream';
import { describeWithKafka, startBroker } from '../support/kafka';
import { freshDatabase } from '../support/postgres';
import { KeptProcess } from './kept-process';

const kills = Number(process.env['NODELEDGER_STREAM_KILLS'] ?? 10);

describeWithKafka('streams of changes of a log on Kafka', () => {
  test('the broker and the service are killed: subscribers miss nothing', async () => {
    const dataDir = await temporaryDataDir();
    const broker = await startBroker();
    const database = await freshDatabase();
    const service = new KeptProcess({
      dataDir,
      env: {
        DATABASE_URL: database.connectionString,
        KAFKA_BROKERS: broker.brokers.join(),
        NODELEDGER_LOG_TOPIC: 'streams.commands',
        NODELEDGER_LOG_PARTITIONS: '6',
        NODELEDGER_GC_INTERVAL: '0',
        NODELEDGER_SNAPSHOT_INTERVAL: '0',
      },
    });
    const url = async (): Promise<string> => (await service.running()).url;
    const subscribers = Array.from(
      { length: 3 },
      () => new Subscriber(async () => `${await url()}/nodeledger/v1/changes`),
    );
    try {
      for (const one of subscribers) await one.connected();
      const load = new ChangeLoad({ url });
      for (let kill = 0; kill < kills; kill++) {
        await load.more(50);
        await broker.kill();
        await broker.restart();
        if (kill % 3 === 2) await service.kill();
      }
      await load.more(50);
      await load.stop();
      for (const one of subscribers) await load.expectAll(one);
      console.log(`streams: ${load.count} changes, ${kills} kills of the broker, ${service.kills} of the service`);
    } finally {
      for (const one of subscribers) await one.stop();
      await service.stop();
      await database.drop();
      await broker.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 900_000);
});
