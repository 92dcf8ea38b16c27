import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describeWithKafka, kafkaBrokers } from '../../../test/support/kafka';
import { newRecord, readRecords } from '../testing/contract-records';
import { OpenLogs } from '../../../test/support/kafka-logs';

describeWithKafka('appending to Kafka', () => {
  const logs = new OpenLogs(kafkaBrokers);
  afterEach(() => logs.closeAll());

  it('takes payloads of 16 MB, compressed and not, and gives back their very bytes', async () => {
    const log = await logs.open(logs.topic());
    const noise = randomBytes(16_000_000);
    const text = Buffer.from(JSON.stringify({ text: 'nodeledger '.repeat(1_450_000) }));
    const given = [
      newRecord('a', { payload: noise, encoding: 'gzip' }),
      newRecord('b', { payload: noise }),
      newRecord('c', { payload: text }),
    ];
    await Promise.all(given.map((record) => log.append(record)));
    const records = await readRecords(log.reader((await log.extent()).starts), 3);
    for (const { certname, payload, encoding } of given) {
      const found = records.find((record) => record.certname === certname);
      expect(found?.encoding).toBe(encoding);
      expect(found?.payload.equals(payload)).toBe(true);
    }
  });

  it('deflates plain documents where that pays, and leaves compressed ones as they came', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    const text = Buffer.from(JSON.stringify(Array.from({ length: 2000 }, (_, n) => ({ name: `fact-${n}`, value: n }))));
    const given = [
      newRecord('plain', { payload: text }),
      newRecord('compressed', { payload: gzipSync(text), encoding: 'gzip' }),
      newRecord('noise', { payload: randomBytes(50_000) }),
      newRecord('small', { payload: Buffer.from('{"a":1}') }),
    ];
    for (const record of given) await log.append(record);
    const stored = await logs.messages(topic, 0, 1, given.length);
    const sizes = stored.map(({ value }) => value?.length ?? 0);
    expect(sizes[0]).toBeLessThan(text.length / 3);
    expect(sizes.slice(1)).toEqual(given.slice(1).map(({ payload }) => payload.length));
    const records = await readRecords(log.reader((await log.extent()).starts), given.length);
    records.forEach((record, index) => expect(record).toMatchObject({ ...given[index] }));
  });

  it('keeps the order of each certname under load, over batches', async () => {
    const log = await logs.open(logs.topic(), { batchBytes: 20_000 });
    const appends = Array.from({ length: 600 }, (_, n) =>
      log.append(newRecord(`node-${n % 7}`, { version: n, payload: Buffer.alloc((n * 37) % 3000, 'x') })),
    );
    await Promise.all(appends);
    const records = await readRecords(log.reader((await log.extent()).starts), 600);
    for (let n = 0; n < 7; n++) {
      const versions = records.filter(({ certname }) => certname === `node-${n}`).map(({ version }) => version);
      expect(versions).toEqual(Array.from(versions, (_, index) => index * 7 + n));
    }
  });

  it('refuses a record that the topic does not take, and no other', async () => {
    const log = await logs.open(logs.topic(), { partitions: 1, maxPayloadBytes: 100_000, batchBytes: 50_000 });
    const payloads = [10, 10, 3_000_000, 10].map((size) => randomBytes(size));
    const outcomes = await Promise.allSettled(payloads.map((payload) => log.append(newRecord('a', { payload }))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { kind: 'too-large', code: 'log.too-large' } });
  });

  it('rejects the one record that the broker refuses, where its limit was lowered meanwhile', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    await logs.setTopic(topic, 'max.message.bytes', '200000');
    const payloads = [10_000, 10_000, 300_000, 10_000].map((size) => randomBytes(size));
    const outcomes = await Promise.allSettled(payloads.map((payload) => log.append(newRecord('a', { payload }))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: { kind: 'too-large', code: 'log.too-large' } });
  });

  it.each(['nul \0', 'half \ud83d', '\ude00 half'])('rejects the certname %j at once', async (certname) => {
    const log = await logs.open(logs.topic());
    await expect(log.append(newRecord(certname))).rejects.toMatchObject({ kind: 'malformed', code: 'log.unstorable' });
  });

  it('stores what was handed over before it is closed', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic);
    const appends = Array.from({ length: 50 }, (_, n) =>
      log.append(newRecord(`node-${n}`, { payload: randomBytes(1000) })),
    );
    await log.close();
    expect((await Promise.allSettled(appends)).every(({ status }) => status === 'fulfilled')).toBe(true);
    const again = await logs.open(topic);
    expect(await readRecords(again.reader((await again.extent()).starts), 50)).toHaveLength(50);
  });

  it('notices that the topic was deleted and created again', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    for (let n = 0; n < 3; n++) await log.append(newRecord('a'));
    await logs.admin((admin) => admin.deleteTopics({ topics: [topic], timeout: 10_000 }));
    const other = await logs.open(topic, { partitions: 1 });
    await expect(log.append(newRecord('a'))).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
    await expect(log.append(newRecord('a'))).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
    expect(await other.append(newRecord('a'))).toMatchObject({ partition: 0 });
  });

  it('notices it also where it has not appended anything yet', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    for (let n = 0; n < 3; n++) await log.append(newRecord('a'));
    const silent = await logs.open(topic, { partitions: 1 });
    await logs.admin((admin) => admin.deleteTopics({ topics: [topic], timeout: 10_000 }));
    const other = await logs.open(topic, { partitions: 1 });
    await other.append(newRecord('a'));
    await expect(silent.append(newRecord('a'))).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
  });
});
