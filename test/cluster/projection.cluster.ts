/** Projects from a cluster of three brokers, one of which is down. */
import { KafkaCommandLog } from '#log';
import { appliedPositions } from '#database';
import { newRecord } from '../../libs/log/testing/contract-records';
import { factset } from '../support/documents';
import { describeWithKafka, freshTopic, startCluster, type ClusterNode, type OwnCluster } from '../support/kafka';
import { ProjectionBench } from '../support/projection';
import { until } from '../support/until';
import { ClusterTopic } from './cluster-topic';

describeWithKafka('projecting from a cluster of three brokers', () => {
  let cluster: OwnCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  }, 120_000);
  afterAll(() => cluster.stop());

  test('the other partitions are projected while one partition has no leader', async () => {
    const topic = new ClusterTopic(cluster.brokers, freshTopic(), [[3], [1], [2]]);
    await topic.make(1);
    const bench = await ProjectionBench.open(3);
    const log = new KafkaCommandLog({
      ...{ brokers: cluster.brokers, topic: topic.name, partitions: 3, maxPayloadBytes: 1 << 20 },
      ...{ headerMs: 1, appendMs: 2_000 },
    });
    const retries: unknown[] = [];
    const start = (): { stop(): Promise<void> } => {
      const stopping = new AbortController();
      const running = bench
        .projector({ log, logId, group: topic.name, onRetry: (error) => void retries.push(error) })
        .run(stopping.signal);
      return {
        stop: () => {
          stopping.abort();
          return running;
        },
      };
    };
    const append = async (partition: number, n: number): Promise<void> => {
      const certname = topic.certname(partition, 0);
      const payload = Buffer.from(JSON.stringify(factset(certname, { n })));
      const { offset } = await log.append(newRecord(certname, { payload }));
      await until(async () => ((await appliedPositions(bench.db)).get(partition) ?? 0) > offset, {
        what: `the record of partition ${partition} is applied`,
        withinMs: 15_000,
      });
    };
    const { logId } = await log.open();
    await bench.rows('UPDATE nodeledger.positions SET log_id = $1, next_offset = 1', [logId]);
    let projector = start();
    const node = cluster.nodes[2] as ClusterNode;
    let isDown = false;
    try {
      for (const partition of [0, 1, 2]) await append(partition, 0);
      await node.stop();
      isDown = true;
      const began = performance.now();
      for (let n = 1; n <= 20; n++) for (const partition of [1, 2]) await append(partition, n);
      console.log(`leaderless: 40 records applied one by one in ${(performance.now() - began).toFixed(0)} ms`);
      // A projector that starts meanwhile does not wait for the partition either.
      await projector.stop();
      projector = start();
      for (const partition of [1, 2]) await append(partition, 21);
      await expect(append(0, 1)).rejects.toMatchObject({ kind: 'busy', code: 'log.unavailable' });
      // The projector reports the partition.
      await until(() => retries.length > 0, { withinMs: 40_000 });
      expect(retries[0]).toMatchObject({ code: 'log.no-leader' });
      expect((retries[0] as Error).message).toContain(`partition 0 of topic ${topic.name} has no leader`);
      for (const partition of [1, 2]) await append(partition, 22);
      await node.restart();
      isDown = false;
      await topic.whole();
      for (const partition of [0, 1, 2]) await append(partition, 23);
    } finally {
      if (isDown) await node.restart();
      await projector.stop();
      await log.close();
      await bench.close();
    }
  });
});
