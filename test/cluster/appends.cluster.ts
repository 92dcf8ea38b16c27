/** Appends to a cluster of three brokers while some of them are down. */
import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { KafkaCommandLog, type KafkaCommandLogOptions, type LogRecord } from '#log';
import { newRecord } from '../../libs/log/testing/contract-records';
import { describeWithKafka, freshTopic, startCluster, type ClusterNode, type OwnCluster } from '../support/kafka';
import { until } from '../support/until';
import { ClusterTopic, type Replicas } from './cluster-topic';
import { NodeLoad, type Outcome } from './node-load';

describeWithKafka('appending to a cluster of three brokers', () => {
  let cluster: OwnCluster;
  const logs: KafkaCommandLog[] = [];
  beforeAll(async () => {
    cluster = await startCluster();
  }, 120_000);
  afterEach(async () => {
    await Promise.all(logs.splice(0).map((log) => log.close()));
  });
  afterAll(() => cluster.stop());

  const node = (id: number): ClusterNode => cluster.nodes[id - 1] as ClusterNode;

  async function opened(
    replicas: Replicas,
    inSync: number,
    over: Partial<KafkaCommandLogOptions> = {},
  ): Promise<{ topic: ClusterTopic; log: KafkaCommandLog }> {
    const topic = new ClusterTopic(cluster.brokers, freshTopic(), replicas);
    await topic.make(inSync);
    return { topic, log: await open(topic, over) };
  }

  async function open(
    { name: topic, replicas }: ClusterTopic,
    over: Partial<KafkaCommandLogOptions> = {},
  ): Promise<KafkaCommandLog> {
    const { brokers } = cluster;
    const options = { brokers, topic, partitions: replicas.length, maxPayloadBytes: 1 << 20, headerMs: 1 };
    const log = new KafkaCommandLog({ ...options, ...over });
    logs.push(log);
    await log.open();
    return log;
  }

  /** Returns all messages of the topic, each partition in order. */
  async function read(topic: ClusterTopic): Promise<LogRecord[]> {
    const log = await open(topic);
    const { starts, ends } = await log.extent();
    let left = [...ends].reduce((sum, [partition, end]) => sum + end - (starts.get(partition) ?? 0), 0);
    const reader = log.reader(starts);
    const records: LogRecord[] = [];
    while (left > 0) {
      const batch = await reader.next({ maxRecords: 1_000, maxBytes: 8 << 20 }, AbortSignal.timeout(30_000));
      if (batch.length === 0) throw new Error(`${left} records did not come`);
      records.push(...batch);
      left -= batch.length;
    }
    await reader.close();
    return records;
  }

  /** Returns how often the topic has each record. */
  function counted(records: readonly LogRecord[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { uuid } of records) counts.set(uuid, (counts.get(uuid) ?? 0) + 1);
    return counts;
  }

  const failed = (outcomes: readonly Outcome[]): Outcome[] => outcomes.filter(({ error }) => error !== undefined);
  const faults = (outcomes: readonly Outcome[]): string[] => failed(outcomes).map(({ error }) => String(error));
  const succeeded = (outcomes: readonly Outcome[]): Outcome[] => outcomes.filter(({ error }) => error === undefined);

  test('a partition without a leader holds up no other, and others are stored once', async () => {
    // Partition 0 becomes unavailable with broker 3. The other partitions do not use this broker.
    const troubles: (string | undefined)[] = [];
    const { topic, log } = await opened([[3], [1], [2], [1], [2]], 1, {
      ...{ appendMs: 5_000, waitingBytes: 2 << 20 },
      onTrouble: (trouble) => troubles.push(trouble?.fault.message),
    });
    const healthyNodes = [1, 2, 3, 4].flatMap((partition) => [1, 2].map((which) => topic.certname(partition, which)));
    const lost = topic.certname(0, 1);
    for (const certname of [lost, ...healthyNodes]) await log.append(newRecord(certname));
    await node(3).stop();
    let isDown = true;
    try {
      const healthy = new NodeLoad(log, healthyNodes, 20);
      const leaderless = new NodeLoad(log, [lost], 200);
      await until(() => healthy.outcomes.length > 1_000 && leaderless.outcomes.length > 20);
      const stopped = leaderless.stop();
      // More appends than may wait, all to the lost partition. It takes its share of the queue, and the others
      // continue.
      const flood = await Promise.allSettled(
        Array.from({ length: 60 }, () => log.append(newRecord(lost, { payload: randomBytes(50_000) }))),
      );
      await stopped;
      const outcomes = await healthy.stop();
      const slowest = Math.max(...outcomes.map(({ ms }) => ms));
      const bad = failed(outcomes).length;
      console.log(
        `leaderless: ${outcomes.length} appends to others, ${bad} failed, the slowest took ${slowest.toFixed(0)} ms`,
      );
      await node(3).restart();
      isDown = false;
      await topic.whole();
      // The service notices this even if nothing is appended.
      await until(() => troubles.length >= 2, { withinMs: 20_000 }).catch(() => undefined);
      const lostPartition = `partition 0 of topic ${topic.name}`;
      expect(troubles).toEqual([expect.stringContaining(lostPartition), undefined]);
      await log.append(newRecord(lost));
      const counts = counted(await read(topic));
      const times = new Set(outcomes.map(({ uuid }) => counts.get(uuid) ?? 0));
      console.log(`leaderless: stored so many times: ${[...times].join(', ')}`);
      expect(faults(outcomes)).toEqual([]);
      expect(times).toEqual(new Set([1]));
      expect(outcomes.length).toBeGreaterThan(1_000);
      expect(slowest).toBeLessThan(2_500);
      expect(succeeded(leaderless.outcomes)).toEqual([]);
      expect(leaderless.outcomes.length).toBeGreaterThan(20);
      for (const { error, ms } of leaderless.outcomes) {
        expect(error).toMatchObject({ kind: 'busy', code: 'log.unavailable' });
        expect((error as Error).message).toContain(lostPartition);
        expect(ms).toBeLessThan(8_000);
      }
      const codes = flood.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'stored'));
      expect(codes[0]).toBe('log.unavailable');
      expect(codes.at(-1)).toBe('log.full');
    } finally {
      if (isDown) await node(3).restart();
    }
  });

  test('a broker that says nothing holds up no partition of another', async () => {
    const { topic, log } = await opened([[1], [2], [3], [1], [3]], 1);
    const healthyNodes = [0, 2, 3, 4].map((partition) => topic.certname(partition, partition));
    const held = topic.certname(1, 1);
    for (const certname of [held, ...healthyNodes]) await log.append(newRecord(certname));
    const { pid } = node(2);
    process.kill(pid, 'SIGSTOP');
    const healthy = new NodeLoad(log, healthyNodes, 50);
    const waiting = new NodeLoad(log, [held], 200);
    // Shorter than the session of the broker, which therefore keeps its role.
    await delay(4_000);
    const outcomes = await healthy.stop();
    process.kill(pid, 'SIGCONT');
    const late = await waiting.stop();
    const slowest = Math.max(...outcomes.map(({ ms }) => ms));
    console.log(`silent broker: ${outcomes.length} appends to others, the slowest took ${slowest.toFixed(0)} ms`);
    expect([...faults(outcomes), ...faults(late)]).toEqual([]);
    expect(slowest).toBeLessThan(2_500);
    expect(Math.max(...late.map(({ ms }) => ms))).toBeGreaterThan(3_000);
    const counts = counted(await read(topic));
    expect(new Set([...outcomes, ...late].map(({ uuid }) => counts.get(uuid)))).toEqual(new Set([1]));
  });

  test('nothing acknowledged is lost and nothing is refused while the brokers are restarted in turn', async () => {
    const orders = [
      [1, 2, 3],
      [2, 3, 1],
      [3, 1, 2],
    ];
    const { topic, log } = await opened([...orders, ...orders], 2);
    const certnames = Array.from({ length: 30 }, (_, which) => topic.certname(which % 6, which));
    const load = new NodeLoad(log, certnames, 100);
    await until(() => load.outcomes.length > 100);
    for (const one of cluster.nodes) {
      await one.restart();
      await topic.whole();
    }
    await until(() => load.outcomes.length > 1_000);
    const outcomes = await load.stop();
    expect(faults(outcomes)).toEqual([]);
    const records = await read(topic);
    const counts = counted(records);
    expect(outcomes.filter(({ uuid }) => !counts.has(uuid))).toEqual([]);
    const duplicates = [...counts.values()].reduce((sum, count) => sum + count - 1, 0);
    const slowest = Math.max(...outcomes.map(({ ms }) => ms));
    console.log(
      `rolling restart: ${outcomes.length} appends, ${duplicates} duplicates, the slowest in ${slowest.toFixed(0)} ms`,
    );
    expect(outcomes.length).toBeGreaterThan(1_000);
    expect(duplicates).toBeLessThan(outcomes.length / 20);
    for (const certname of certnames) {
      const versions = records.filter((record) => record.certname === certname).map(({ version }) => version);
      // A repetition may follow its original, but a later record may neither overtake it nor be overtaken.
      expect(ascends([...new Set(versions)])).toBe(true);
      expect(ascends([...new Set(versions.reverse())].reverse())).toBe(true);
    }
  });
});

const ascends = (numbers: readonly number[]): boolean =>
  numbers.every((number, index) => index === 0 || number > (numbers[index - 1] as number));
