import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { freePorts } from './free-ports';
import { describeWithKafka, freshTopic, kafkaBrokers } from './kafka';
import { stays } from './until';

const run = promisify(execFile);
const script = join(__dirname, 'kafka', 'broker.mjs');

function client(brokers: string[], retries = 5): Kafka {
  return new Kafka({ brokers, logLevel: logLevel.NOTHING, connectionTimeout: 2_000, retry: { retries } });
}

async function makeTopic(kafka: Kafka, topic: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
  } finally {
    await admin.disconnect();
  }
}

/** Returns the messages of the topic, or undefined if the broker has no such topic. */
async function stored(kafka: Kafka, topic: string): Promise<number | undefined> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    if (!(await admin.listTopics()).includes(topic)) return undefined;
    const [partition] = await admin.fetchTopicOffsets(topic);
    return Number(partition?.high) - Number(partition?.low);
  } finally {
    await admin.disconnect();
  }
}

async function send(kafka: Kafka, topic: string, value: string): Promise<void> {
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  try {
    await producer.send({ topic, acks: -1, timeout: 5_000, messages: [{ value }] });
  } finally {
    await producer.disconnect();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describeWithKafka('a broker for tests', () => {
  it('is one for the run, and makes no topic by itself', async () => {
    const brokers = await kafkaBrokers();
    if (!Array.isArray(brokers)) throw new Error(brokers.skipped);
    expect(await kafkaBrokers()).toEqual(brokers);
    const [topic, other] = [freshTopic(), freshTopic()];
    const kafka = client(brokers);
    await makeTopic(kafka, topic);
    await send(kafka, topic, 'a');
    expect(await stored(kafka, topic)).toBe(1);
    await expect(send(client(brokers, 1), other, 'a')).rejects.toThrow();
    expect(await stored(kafka, other)).toBeUndefined();
  });
});

describeWithKafka('npm run kafka:start and kafka:stop', () => {
  let data: string;
  beforeEach(async () => (data = await mkdtemp(join(tmpdir(), 'nodeledger-kafka-'))));
  afterEach(async () => {
    await run(process.execPath, [script, 'stop', '--data', data]);
    await rm(data, { recursive: true, force: true });
  });

  it('starts one that outlives its starter, refuses a second, and ends exactly it', async () => {
    const [port, controller] = (await freePorts(2)) as [number, number];
    const args = [script, 'start', '--data', data, '--port', `${port}`, '--controller-port', `${controller}`];
    const started = await run(process.execPath, args);
    expect(started.stdout).toBe(`KAFKA_BROKERS=127.0.0.1:${port}\n`);
    expect(started.stderr).toContain(`npm run kafka:stop -- --data ${data}`);
    const { pid } = JSON.parse(await readFile(join(data, 'broker.pid'), 'utf8')) as { pid: number };
    expect(await stored(client([`127.0.0.1:${port}`]), 'none')).toBeUndefined();
    await expect(run(process.execPath, args)).rejects.toThrow(`process ${pid} already serves ${data}`);
    const elsewhere = [...args.slice(0, 2), '--data', join(data, 'other'), ...args.slice(4)];
    await expect(run(process.execPath, elsewhere)).rejects.toThrow(`port ${port} of 127.0.0.1 is in use`);
    expect(isAlive(pid)).toBe(true);
    const stopped = await run(process.execPath, [script, 'stop', '--data', data]);
    expect(stopped.stderr).toContain(`(process ${pid}) has ended`);
    await expect(stored(client([`127.0.0.1:${port}`], 0), 'none')).rejects.toThrow();
    expect(existsSync(join(data, 'broker.pid'))).toBe(false);
  }, 120_000);

  it('leaves a process alone that was given the number of a broker that is gone', async () => {
    const bystander = execFile('sleep', ['60']);
    try {
      await writeFile(
        join(data, 'broker.pid'),
        JSON.stringify({ pid: bystander.pid, started: 'earlier', broker: 'x' }),
      );
      const { stderr } = await run(process.execPath, [script, 'stop', '--data', data]);
      expect(stderr).toContain('No broker runs on');
      await stays(() => bystander.exitCode === null && bystander.signalCode === null, { forMs: 200 });
    } finally {
      bystander.kill();
    }
  });

  it.each<[string, Record<string, string>, string, ...string[]]>([
    ['Java', { PATH: '/nonexistent', JAVA_HOME: '' }, 'Java is not on the PATH'],
    ['a port that can be one', { PATH: '/nonexistent' }, '--port is 70000; it takes a whole number', '--port', '70000'],
  ])('says that it lacks %s', async (_what, env, message, ...more) => {
    const starting = run(process.execPath, [script, 'start', '--data', data, ...more], { env });
    await expect(starting).rejects.toThrow(message);
    expect(existsSync(join(data, 'log'))).toBe(false);
  });

  it('says that Maven is missing where the jars have to be fetched', async () => {
    const bin = join(data, 'java-home', 'bin');
    const java = (await run('sh', ['-c', 'readlink -f "$(command -v java)"'])).stdout.trim();
    await run('sh', ['-c', `mkdir -p "${bin}" && ln -s "${java}" "${bin}/java"`]);
    const env = {
      PATH: '/nonexistent',
      JAVA_HOME: join(data, 'java-home'),
      NODELEDGER_KAFKA_CACHE: join(data, 'none'),
    };
    const starting = run(process.execPath, [script, 'start', '--data', data], { env });
    await expect(starting).rejects.toThrow('Maven is not on the PATH');
  });
});
