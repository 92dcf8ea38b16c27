import { CompressionCodecs, CompressionTypes } from 'kafkajs';
import { describeWithKafka, kafkaBrokers } from '../../../test/support/kafka';
import { certnameOf, newRecord, readRecords } from '../testing/contract-records';
import type { KafkaCommandLog } from './kafka-command-log';
import { OpenLogs } from '../../../test/support/kafka-logs';

const unsupported = CompressionCodecs[CompressionTypes.LZ4];
const wide = { maxRecords: 1000, maxBytes: 64 << 20 };

async function fill(log: KafkaCommandLog, partitions: number, each: number): Promise<void> {
  for (let n = 0; n < partitions * each; n++) {
    await log.append(newRecord(certnameOf(n % partitions, partitions), { version: n }));
  }
}

/** Returns an LZ4 frame that contains one uncompressed block. */
function lz4Frame(block: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE((block.length | 0x80000000) >>> 0);
  return Buffer.concat([Buffer.from('04224d18604082', 'hex'), size, block, Buffer.alloc(4)]);
}

describeWithKafka('reading from Kafka', () => {
  const logs = new OpenLogs(kafkaBrokers);
  afterEach(() => logs.closeAll());

  it('goes through the base first where its positions lie before the tail', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 2 });
    await fill(log, 2, 10);
    const reader = log.reader((await log.extent()).starts);
    const all = await readRecords(reader, 20);
    await reader.close();
    const tails = new Map([
      [0, 8],
      [1, 8],
    ]);
    const kept = all
      .filter(({ offset }) => offset < 8 && offset % 2 === 0)
      .sort((a, b) => a.partition - b.partition || a.offset - b.offset);
    const base = await log.prepareBase(
      tails,
      (async function* () {
        yield* kept;
      })(),
    );
    await base.commit();
    await log.truncate();
    const { starts } = await log.extent();
    // Reading starts in the base for one partition, and in the tail for the other.
    const both = log.reader(
      new Map([
        [0, starts.get(0) ?? 1],
        [1, 9],
      ]),
    );
    const records = await readRecords(both, 3 + 3 + 2);
    const ofFirst = records.filter(({ partition }) => partition === 0).map(({ offset }) => offset);
    expect(ofFirst).toEqual([2, 4, 6, 8, 9, 10]);
    await fill(log, 2, 1);
    expect(await readRecords(both, 2)).toHaveLength(2);
    await both.close();

    // The base has no records at these offsets.
    for (const offset of [3, 5, 7]) {
      const lost = log.reader(new Map([[0, offset]]));
      await expect(lost.next(wide)).rejects.toMatchObject({ kind: 'broken', code: 'log.before-base' });
    }
    expect((await readRecords(log.reader(new Map([[0, 0]])), 7)).map(({ offset }) => offset)).toEqual([
      2, 4, 6, 8, 9, 10, 11,
    ]);
  });

  it('stops loudly at a hole', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    await fill(log, 1, 5);
    await logs.deleteBelow(topic, 0, 4);
    for (const offset of [1, 3]) {
      await expect(log.reader(new Map([[0, offset]])).next(wide)).rejects.toMatchObject({
        kind: 'broken',
        code: 'log.gap',
      });
    }
    expect(await readRecords(log.reader(new Map([[0, 4]])), 2)).toHaveLength(2);
  });

  it('refuses offsets past the end', async () => {
    const log = await logs.open(logs.topic(), { partitions: 1 });
    await fill(log, 1, 2);
    const reader = log.reader(new Map([[0, 9]]));
    for (let n = 0; n < 2; n++) {
      await expect(reader.next(wide)).rejects.toMatchObject({ kind: 'broken', code: 'log.past-end' });
    }
  });

  it('returns the records before a batch with an unsupported compression, and then stops with an error', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 2 });
    await fill(log, 2, 3);
    CompressionCodecs[CompressionTypes.LZ4] = () => ({
      compress: ({ buffer }: { buffer: Buffer }) => Promise.resolve(lz4Frame(buffer)),
      decompress: (buffer: Buffer) => Promise.resolve(buffer),
    });
    try {
      await logs.sendCompressed(topic, CompressionTypes.LZ4, { partition: 0, value: 'stray' });
    } finally {
      CompressionCodecs[CompressionTypes.LZ4] = unsupported;
    }
    const reader = log.reader((await log.extent()).starts);
    expect((await readRecords(reader, 6)).map(({ offset }) => offset).sort()).toEqual([1, 1, 2, 2, 3, 3]);
    await expect(reader.next(wide)).rejects.toMatchObject({
      kind: 'broken',
      code: 'log.foreign',
      details: { partition: 0, offset: 4 },
    });
  });

  it('stops loudly at what no log has written', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    await fill(log, 1, 2);
    await logs.send(topic, { partition: 0, value: 'stray' });
    await fill(log, 1, 1);
    const reader = log.reader((await log.extent()).starts);
    expect(await readRecords(reader, 2)).toHaveLength(2);
    await expect(reader.next(wide)).rejects.toMatchObject({
      kind: 'broken',
      code: 'log.foreign',
      details: { offset: 3 },
    });
  });

  it('stops with an error when the topic was created again meanwhile', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic, { partitions: 1 });
    await fill(log, 1, 5);
    const reader = log.reader((await log.extent()).starts);
    await readRecords(reader, 5);
    const waiting = reader.next(wide, AbortSignal.timeout(30_000));
    waiting.catch(() => undefined);
    await logs.admin((admin) => admin.deleteTopics({ topics: [topic], timeout: 10_000 }));
    await logs.open(topic, { partitions: 1 });
    await expect(waiting).rejects.toMatchObject({ kind: 'broken', code: 'log.foreign' });
  });
});
