/** Tests `nodeledger log copy` as a process: a service with the embedded log continues with the copy on Kafka. */
import { rm } from 'node:fs/promises';
import { factset } from '../support/documents';
import { describeWithKafka, freshTopic, kafkaBrokers } from '../support/kafka';
import { freshDatabase, type FreshDatabase } from '../support/postgres';
import { refusedStart, startService, temporaryDataDir, type RunningService } from './service';
import { runVerb } from './verb';

async function submit({ url }: RunningService, certname: string): Promise<unknown> {
  const parameters = new URLSearchParams({
    command: 'replace facts',
    version: '5',
    certname,
    secondsToWaitForCompletion: '20',
  });
  const answer = await fetch(`${url}/pdb/cmd/v1?${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(factset(certname, { role: 'web' })),
  });
  return answer.json();
}
const certnames = async ({ url }: RunningService): Promise<string[]> =>
  ((await (await fetch(`${url}/pdb/query/v4/nodes`)).json()) as { certname: string }[])
    .map(({ certname }) => certname)
    .sort();

describeWithKafka('log copy', () => {
  let fresh: FreshDatabase;
  let dataDir: string;
  let service: RunningService | undefined;

  beforeAll(async () => {
    fresh = await freshDatabase();
    dataDir = await temporaryDataDir();
  });
  afterAll(async () => {
    await service?.stop();
    await fresh.drop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('moves the log to Kafka, from where the service goes on', async () => {
    const brokers = ((await kafkaBrokers()) as string[]).join(',');
    const [topic, second] = [freshTopic(), freshTopic()];
    const embedded = {
      DATABASE_URL: fresh.connectionString,
      NODELEDGER_SNAPSHOT_INTERVAL: '0',
      NODELEDGER_DATA_DIR: dataDir,
    };
    const onKafka = { ...embedded, KAFKA_BROKERS: brokers, NODELEDGER_LOG_TOPIC: topic };
    service = await startService({ dataDir, env: embedded });
    for (let n = 0; n < 8; n++) expect(await submit(service, `n${n}.test`)).toMatchObject({ processed: true });
    const before = await certnames(service);

    const copy = ['log', 'copy', '--to-topic', topic, '--to-brokers', brokers, '--partitions', '2'];
    const served = await runVerb(copy, dataDir, embedded);
    expect([served.code, served.stderr]).toEqual([1, expect.stringMatching(/a service is running on this database/)]);
    await service.stop();
    // The new settings may already be set, because the tables identify the log in use.
    const copied = await runVerb(copy, dataDir, onKafka);
    expect([copied.code, copied.stderr]).toEqual([0, expect.stringContaining('must be stopped')]);
    expect(JSON.parse(copied.stdout)).toMatchObject({ records: 8, topic, partitions: 2 });

    const back = await refusedStart({ dataDir, env: embedded });
    expect([back.code, back.output]).toEqual([1, expect.stringMatching(/were made from log/)]);
    service = await startService({ dataDir, env: onKafka });
    expect(await certnames(service)).toEqual(before);
    expect(await submit(service, 'after.test')).toMatchObject({ processed: true });
    const status = await runVerb(['log', 'status'], dataDir, onKafka);
    const look = JSON.parse(status.stdout) as { body: string; lag: number; partitions: unknown[] };
    expect([look.body, look.lag, look.partitions.length]).toEqual([expect.stringContaining(topic), 0, 2]);
    expect((await runVerb(['verify'], dataDir, onKafka)).code).toBe(0);

    await service.stop();
    service = undefined;
    const same = await runVerb(copy, dataDir, onKafka);
    expect([same.code, same.stderr]).toEqual([1, expect.stringMatching(/is the log that is in use/)]);
    const onwards = await runVerb(['log', 'copy', '--to-topic', second], dataDir, onKafka);
    expect([onwards.code, JSON.parse(onwards.stdout)]).toMatchObject([0, { records: 9, topic: second, partitions: 2 }]);
    service = await startService({ dataDir, env: { ...onKafka, NODELEDGER_LOG_TOPIC: second } });
    expect(await certnames(service)).toEqual([...before, 'after.test'].sort());
  }, 180_000);
});
