/**
 * Tests that the start refuses a log that does not belong to the read tables, and that the message says what happened
 * and what to do.
 */
import { rm } from 'node:fs/promises';
import { Kafka, logLevel } from 'kafkajs';
import { Database } from '#database';
import { describeWithKafka, freshTopic, kafkaBrokers } from '../support/kafka';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { refusedStart, startService, temporaryDataDir, type RunningService } from './service';

let fresh: FreshDatabase;
let db: Database;
let dataDir: string;

beforeEach(async () => {
  fresh = await freshDatabase();
  db = new Database({ connectionString: fresh.connectionString, max: 2 });
  dataDir = await temporaryDataDir();
});
afterEach(async () => {
  await db.close();
  await fresh.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const run = (text: string): Promise<unknown[]> => db.query({ text, values: [] });

async function submitSome({ url }: RunningService, from = 0): Promise<void> {
  for (let n = from; n < from + 20; n++) {
    const certname = `node-${n}`;
    const parameters = new URLSearchParams({
      command: 'replace facts',
      version: '5',
      certname,
      secondsToWaitForCompletion: '20',
    });
    const answer = await fetch(`${url}/pdb/cmd/v1?${parameters}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        certname,
        environment: 'production',
        producer: null,
        producer_timestamp: '2026-01-01T00:00:00Z',
        values: { n },
      }),
    });
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 200,
      body: { processed: true },
    });
  }
}

/** Starts with the settings, submits commands, and stops. */
async function serveOnce(env: Record<string, string>): Promise<void> {
  const service = await startService({ dataDir, env });
  await submitSome(service);
  expect(await service.stop()).toBe(0);
}

async function expectRefused(env: Record<string, string>, ...said: RegExp[]): Promise<void> {
  const before = await run(
    'SELECT generation, log_partition, log_id::text, next_offset FROM nodeledger.positions ORDER BY 1, 2',
  );
  const { code, output } = await refusedStart({ dataDir, env });
  expect(code).toBe(1);
  for (const text of said) expect(output).toMatch(text);
  expect(output).not.toMatch(/\n\s+at /);
  expect(
    await run('SELECT generation, log_partition, log_id::text, next_offset FROM nodeledger.positions ORDER BY 1, 2'),
  ).toEqual(before);
}

describe('the embedded log', () => {
  const env = (): Record<string, string> => ({
    DATABASE_URL: fresh.connectionString,
    NODELEDGER_LOG_PARTITIONS: '2',
    NODELEDGER_GC_INTERVAL: '0',
  });

  it('is refused where it is another one', async () => {
    await serveOnce(env());
    await run('TRUNCATE nodeledger.log_records, nodeledger.log_partitions');
    await expectRefused(env(), /were made from log [0-9a-f-]{36}/, /nodeledger\.yaml|DATABASE_URL|restore/i);
  });

  it('is refused where it lost its end', async () => {
    await serveOnce(env());
    await run('DELETE FROM nodeledger.log_records WHERE log_offset > 3');
    await run('UPDATE nodeledger.log_partitions SET next_offset = 4');
    await expectRefused(env(), /hold records of partition \d+ up to offset \d+, but the log ends at 3/);
  });

  it('is refused where its begin is gone, or its header', async () => {
    await serveOnce(env());
    await run('DELETE FROM nodeledger.log_records WHERE log_offset = 0 AND log_partition = 1');
    await expectRefused(env(), /partition 1 of the log does not begin with the header/, /backup/);
  });

  it('is refused where a snapshot has passed the tables', async () => {
    await serveOnce(env());
    await run('UPDATE nodeledger.log_partitions SET base = 1, tail_offset = next_offset');
    await run('DELETE FROM nodeledger.log_records WHERE log_offset > 0');
    await run('UPDATE nodeledger.positions SET next_offset = 3 WHERE log_partition = 0');
    await expectRefused(
      env(),
      /continue at offset 3 of partition 0, which a snapshot has removed/,
      /nodeledger rebuild/,
    );
  });
});

const withoutKafka = ({
  KAFKA_BROKERS: _b,
  NODELEDGER_LOG_TOPIC: _t,
  ...rest
}: Record<string, string>): Record<string, string> => rest;

describeWithKafka('the log on Kafka', () => {
  let brokers: string[];
  let topic: string;
  let kafka: Kafka;

  beforeEach(async () => {
    brokers = (await kafkaBrokers()) as string[];
    topic = freshTopic();
    kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
  });

  const env = (): Record<string, string> => ({
    DATABASE_URL: fresh.connectionString,
    KAFKA_BROKERS: brokers.join(','),
    NODELEDGER_LOG_TOPIC: topic,
    NODELEDGER_LOG_PARTITIONS: '2',
    NODELEDGER_GC_INTERVAL: '0',
  });

  async function asAdmin<T>(work: (admin: ReturnType<Kafka['admin']>) => Promise<T>): Promise<T> {
    const admin = kafka.admin();
    await admin.connect();
    try {
      return await work(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /** The log of another service in a topic with the same name. */
  async function makeAnew(): Promise<void> {
    await asAdmin((admin) => admin.deleteTopics({ topics: [topic] }));
    const other = await freshDatabase();
    const otherDir = await temporaryDataDir();
    const service = await startService({ dataDir: otherDir, env: { ...env(), DATABASE_URL: other.connectionString } });
    await submitSome(service);
    await service.stop();
    await other.drop();
    await rm(otherDir, { recursive: true, force: true });
  }

  it('is refused when the topic is gone, and creates no new one', async () => {
    await serveOnce(env());
    await asAdmin((admin) => admin.deleteTopics({ topics: [topic] }));
    await expectRefused(env(), new RegExp(topic), /does not exist|is missing|gone/);
    expect(await asAdmin((admin) => admin.listTopics())).not.toContain(topic);
  });

  it('is refused when the topic was created again, or belongs to another service', async () => {
    await serveOnce(env());
    await makeAnew();
    await expectRefused(env(), /[0-9a-f-]{36}.*[0-9a-f-]{36}/s, new RegExp(topic));
  });

  it('is refused where the topic was cut at its begin from outside', async () => {
    await serveOnce(env());
    await asAdmin(async (admin) => {
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '3' }] });
    });
    await expectRefused(env(), /partition 0/, /removed|deleted|begins/);
  });

  it('is refused where it ends before the tables', async () => {
    await serveOnce(env());
    // Simulates a topic that was restored from an older copy: raises the position of the tables above the end of the
    // log.
    await run('UPDATE nodeledger.positions SET next_offset = next_offset + 5 WHERE log_partition = 1');
    await expectRefused(env(), /hold records of partition 1 up to offset \d+, but the log in topic \S+ ends at \d+/);
  });

  it('is refused where the topic forgets by itself, or has got more partitions', async () => {
    await serveOnce(env());
    await asAdmin((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [{ type: 2, name: topic, configEntries: [{ name: 'retention.ms', value: '604800000' }] }],
      }),
    );
    await expectRefused(env(), /retention\.ms/, /-1/);
    await asAdmin((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: 2,
            name: topic,
            configEntries: [
              { name: 'cleanup.policy', value: 'compact' },
              { name: 'retention.ms', value: '-1' },
            ],
          },
        ],
      }),
    );
    await expectRefused(env(), /cleanup\.policy/, /delete/);
    await asAdmin((admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [
          {
            type: 2,
            name: topic,
            configEntries: [
              { name: 'cleanup.policy', value: 'delete' },
              { name: 'retention.ms', value: '-1' },
              { name: 'max.message.bytes', value: '33554432' },
            ],
          },
        ],
      }),
    );
    await asAdmin((admin) => admin.createPartitions({ topicPartitions: [{ topic, count: 4 }] }));
    await expectRefused(env(), /4 partitions|partitions/, /2/);
  });

  it('is refused instead of the embedded log that the tables were made from, and the other way round', async () => {
    await serveOnce(withoutKafka(env()));
    await expectRefused(env(), /embedded log/, /nodeledger log copy/);
    expect(await asAdmin((admin) => admin.listTopics())).not.toContain(topic);
  });
});
