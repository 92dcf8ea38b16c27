import { randomUUID } from 'node:crypto';
import { KafkaCommandLog, type LogRecord } from '#log';
import { factset } from '../../test/support/documents';
import { describeWithKafka, freshTopic, kafkaBrokers } from '../../test/support/kafka';
import { ProjectionBench } from '../../test/support/projection';

describeWithKafka('read tables that go on at a place which the log no longer has', () => {
  it.each(['some group', undefined])(
    'are told of, and not tried for ever (group: %s)',
    async (group) => {
      const brokers = await kafkaBrokers();
      if (!Array.isArray(brokers)) throw new Error(brokers.skipped);
      const bench = await ProjectionBench.open(1);
      const log = new KafkaCommandLog({ brokers, topic: freshTopic(), partitions: 1, maxPayloadBytes: 1 << 20 });
      try {
        const { logId } = await log.open();
        for (let n = 0; n < 4; n++) {
          await log.append({
            uuid: randomUUID(),
            command: 'replace facts',
            version: 5,
            certname: 'a',
            receivedAt: Date.UTC(2026, 5, 1),
            encoding: 'identity',
            payload: Buffer.from(JSON.stringify(factset('a', { n }))),
          });
        }
        const reader = log.reader((await log.extent()).starts);
        const records: LogRecord[] = [];
        while (records.length < 4) records.push(...(await reader.next({ maxRecords: 4, maxBytes: 1 << 20 })));
        await reader.close();
        const base = await log.prepareBase(
          new Map([[0, 4]]),
          (async function* () {
            yield records[2] as LogRecord;
          })(),
        );
        await base.commit();
        await log.truncate();
        await bench.rows('UPDATE nodeledger.positions SET log_id = $1, next_offset = 1', [logId]);

        const projector = bench.projector({ log, logId, ...(group && { group: `${group}-${logId}` }) });
        await expect(projector.run(AbortSignal.timeout(20_000))).rejects.toMatchObject({
          kind: 'broken',
          code: 'projections.no-such-place',
        });
      } finally {
        await log.close();
        await bench.close();
      }
    },
    60_000,
  );
});
