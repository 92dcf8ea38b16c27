import { randomUUID } from 'node:crypto';
import { ConfigResourceTypes } from 'kafkajs';
import { describeWithKafka, kafkaBrokers } from '../../../test/support/kafka';
import { freePorts } from '../../../test/support/free-ports';
import { newRecord, readRecords } from '../testing/contract-records';
import { headerMessage } from './marks';
import { OpenLogs } from '../../../test/support/kafka-logs';

describeWithKafka('opening a log on Kafka', () => {
  const logs = new OpenLogs(kafkaBrokers);
  afterEach(() => logs.closeAll());

  const header = (logId: string, partitions = 2): { logId: string; format: number; partitions: number } => ({
    logId,
    format: 2,
    partitions,
  });

  it('makes a topic that keeps everything, with one header in each partition', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 3 });
    await logs.admin(async (admin) => {
      const { resources } = await admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
      });
      const config = new Map(
        resources[0]?.configEntries.map(({ configName, configValue }) => [configName, configValue]),
      );
      expect(
        ['cleanup.policy', 'retention.ms', 'retention.bytes', 'message.timestamp.type'].map((name) => config.get(name)),
      ).toEqual(['delete', '-1', '-1', 'CreateTime']);
      expect((await admin.fetchTopicOffsets(topic)).map(({ high }) => high)).toEqual(['1', '1', '1']);
    });
    expect(await log.open()).toEqual({ logId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string, partitions: 3 });
  });

  it('makes one log for all who race', async () => {
    const topic = logs.topic();
    const opened = await Promise.all(Array.from({ length: 4 }, () => logs.open(topic, { partitions: 3 })));
    const identities = await Promise.all(opened.map((log) => log.open()));
    expect(new Set(identities.map(({ logId }) => logId)).size).toBe(1);
    expect([...((await opened[0]?.ends()) ?? []).values()]).toEqual([1, 1, 1]);
  });

  it('keeps its own number of partitions and its records when it is opened again', async () => {
    const topic = logs.topic();
    const first = await logs.open(topic, { partitions: 3 });
    const position = await first.append(newRecord('a'));
    const again = await logs.open(topic, { partitions: 7 });
    expect(await again.open()).toEqual(await first.open());
    const [record] = await readRecords(again.reader((await again.extent()).starts), 1);
    expect(record).toMatchObject({ certname: 'a', ...position });
  });

  it('finishes, for all who race, what a maker left behind that died before the headers', async () => {
    const topic = logs.topic();
    await logs.makeTopic(topic);
    const [first, second] = await Promise.all([
      logs.open(topic, { headerMs: 300 }),
      logs.open(topic, { headerMs: 300 }),
    ]);
    expect(await first.open()).toEqual(await second.open());
    // In no partition, a repeated header comes after the first record.
    const { starts } = await first.extent();
    expect(await first.ends()).toEqual(starts);
    const { partition, offset } = await second.append(newRecord('a'));
    expect(offset).toBe(starts.get(partition));
    expect(await readRecords(first.reader(starts), 1)).toMatchObject([{ partition, offset, certname: 'a' }]);
  });

  it('finishes what a maker left behind that died between two headers', async () => {
    const [topic, logId] = [logs.topic(), randomUUID()];
    await logs.makeTopic(topic);
    await logs.send(topic, headerMessage(1, header(logId)));
    const log = await logs.open(topic, { headerMs: 300 });
    expect(await log.open()).toEqual({ logId, partitions: 2 });
    expect([...(await log.ends()).values()]).toEqual([1, 1]);
  });

  it('begins behind a header that stands twice', async () => {
    const [topic, logId] = [logs.topic(), randomUUID()];
    await logs.makeTopic(topic);
    await logs.send(
      topic,
      headerMessage(0, header(logId)),
      headerMessage(1, header(logId)),
      headerMessage(1, header(logId)),
    );
    const log = await logs.open(topic);
    expect([...(await log.extent()).starts]).toEqual([
      [0, 1],
      [1, 2],
    ]);
    for (let n = 0; n < 10; n++) await log.append(newRecord(`node-${n}`));
    const reader = log.reader(
      new Map([
        [0, 0],
        [1, 0],
      ]),
    );
    expect(await readRecords(reader, 10)).toHaveLength(10);
  });

  it.each([
    ['cleanup.policy', 'compact'],
    ['retention.ms', '604800000'],
    ['retention.bytes', '1000000000'],
    ['max.message.bytes', '1048588'],
  ])('refuses a topic whose %s is %s, and says how to set it', async (name, value) => {
    const topic = logs.topic();
    await logs.makeTopic(topic, new Map([[name, value]]));
    const log = await logs.make(topic);
    await expect(log.open()).rejects.toMatchObject({
      kind: 'conflict',
      code: 'log.topic-settings',
      message: expect.stringContaining(`${name} is ${value}`) as string,
      hint: expect.stringContaining(`--entity-name ${topic} --add-config ${name}=`) as string,
    });
  });

  it('refuses a topic that was created again, or is missing, where read tables were made from another log', async () => {
    const [topic, other, none] = [logs.topic(), logs.topic(), logs.topic()];
    const { logId } = await (await logs.open(topic)).open();
    const found = await (await logs.open(other)).open();
    const foreign = await logs.make(other, { expectedLogId: logId });
    await expect(foreign.open()).rejects.toMatchObject({
      kind: 'conflict',
      code: 'log.foreign',
      details: { found: found.logId, expected: logId },
    });
    const missing = await logs.make(none, { expectedLogId: logId });
    await expect(missing.open()).rejects.toMatchObject({ kind: 'conflict', code: 'log.missing' });
    await logs.makeTopic(none);
    const empty = await logs.make(none, { expectedLogId: logId });
    await expect(empty.open()).rejects.toMatchObject({ kind: 'conflict', code: 'log.foreign' });
    expect(await (await logs.open(topic, { expectedLogId: logId })).open()).toMatchObject({ logId });
  });

  it('refuses a topic that is no log', async () => {
    const topic = logs.topic();
    await logs.makeTopic(topic);
    await logs.send(topic, { partition: 0, value: 'a' }, { partition: 1, value: 'b' });
    await expect((await logs.make(topic)).open()).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
  });

  it('refuses a log of a format that it does not know', async () => {
    const topic = logs.topic();
    await logs.makeTopic(topic);
    const later = { ...header(randomUUID()), format: 3 };
    await logs.send(topic, headerMessage(0, later), headerMessage(1, later));
    await expect((await logs.make(topic)).open()).rejects.toMatchObject({
      code: 'log.foreign',
      message: expect.stringContaining('of format 3; this release knows 2') as string,
    });
  });

  it('refuses a mixture of two logs', async () => {
    const topic = logs.topic();
    await logs.makeTopic(topic);
    await logs.send(topic, headerMessage(0, header(randomUUID())), headerMessage(1, header(randomUUID())));
    await expect((await logs.make(topic)).open()).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
  });

  it('refuses a topic that was given more partitions', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic);
    await log.append(newRecord('a'));
    await logs.admin((admin) => admin.createPartitions({ topicPartitions: [{ topic, count: 3 }] }));
    await expect((await logs.make(topic)).open()).rejects.toMatchObject({
      kind: 'conflict',
      code: 'log.partitions',
      details: { found: 3, expected: 2 },
    });
  });

  it('refuses a log whose begin was deleted where no base covers it', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic);
    const { partition } = await log.append(newRecord('a'));
    await log.append(newRecord('a'));
    await logs.admin(async (admin) => {
      await admin.fetchTopicOffsets(topic);
      await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: '2' }] });
    });
    await expect((await logs.make(topic)).open()).rejects.toMatchObject({
      kind: 'broken',
      code: 'log.truncated',
      details: { partition, begins: 2, expected: 0 },
    });
  });

  it('says in bounded time that no broker answers', async () => {
    const [port] = (await freePorts(1)) as [number];
    const log = await logs.make(logs.topic(), { brokers: [`127.0.0.1:${port}`], askMs: 1_000 });
    const began = performance.now();
    await expect(log.open()).rejects.toMatchObject({ kind: 'busy', code: 'log.unreachable' });
    expect(performance.now() - began).toBeLessThan(8_000);
  });

  it('gives notice of settings that may lose what was acknowledged', async () => {
    const notices: string[] = [];
    const log = await logs.open(logs.topic(), { replication: 1, onNotice: (text) => notices.push(text) });
    await log.open();
    expect(notices).toEqual([
      expect.stringContaining('replication factor 1') as string,
      expect.stringContaining('min.insync.replicas 1') as string,
    ]);
  });
});
