/**
 * Kills the broker of the log while changes are streamed and sent to a receiver that fails at random. Subscribers and the receiver get
 * each acknowledged change, in order for each node.
 */
import { rm } from 'node:fs/promises';
import { newSigningSecret } from '#changes';
import { temporaryDataDir } from '../e2e/service';
import { ChangeLoad } from '../support/change-load';
import { Subscriber } from '../support/event-stream';
import { describeWithKafka, startBroker } from '../support/kafka';
import { freshDatabase } from '../support/postgres';
import { WebhookReceiver } from '../support/webhook-receiver';
import { KeptProcess } from './kept-process';
import { Seeded } from './seeded';
import { subscribe, webhookSettings } from './webhook-settings';

const kills = Number(process.env['NODELEDGER_STREAM_KILLS'] ?? 10);

describeWithKafka('changes of a log on Kafka', () => {
  test('the broker and the service are killed: subscribers and a receiver of webhooks miss nothing', async () => {
    const random = Seeded.ofRun('streams');
    const dataDir = await temporaryDataDir();
    const broker = await startBroker();
    const database = await freshDatabase();
    const receiver = await WebhookReceiver.open(newSigningSecret());
    receiver.answer = () => (random.fraction() < 0.1 ? 500 : 204);
    const service = new KeptProcess({
      dataDir,
      env: {
        DATABASE_URL: database.connectionString,
        KAFKA_BROKERS: broker.brokers.join(),
        NODELEDGER_LOG_TOPIC: 'streams.commands',
        NODELEDGER_LOG_PARTITIONS: '6',
        NODELEDGER_GC_INTERVAL: '0',
        NODELEDGER_SNAPSHOT_INTERVAL: '0',
        ...(await webhookSettings(dataDir)),
      },
    });
    const url = async (): Promise<string> => (await service.running()).url;
    const subscribers = Array.from(
      { length: 3 },
      () => new Subscriber(async () => `${await url()}/nodeledger/v1/changes`),
    );
    try {
      for (const one of subscribers) await one.connected();
      await subscribe(url, receiver);
      const load = new ChangeLoad({ url });
      for (let kill = 0; kill < kills; kill++) {
        await load.more(50);
        await broker.kill();
        await broker.restart();
        if (kill % 3 === 2) await service.kill();
      }
      await load.more(50);
      await load.stop();
      for (const one of [...subscribers, receiver]) await load.expectAll(one);
      expect(receiver.unsigned).toEqual([]);
      const repeated = [...subscribers, receiver].map(({ events, ids }) => events.length - ids.size);
      console.log(
        `${load.count} changes acknowledged, none missed, ${kills} kills of the broker, ${service.kills} of the service; arrived again: ${repeated.slice(0, -1).join(', ')} in streams, ${repeated.at(-1)} at the receiver`,
      );
    } finally {
      for (const one of subscribers) await one.stop();
      await service.stop();
      await receiver.close();
      await database.drop();
      await broker.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  }, 900_000);
});
