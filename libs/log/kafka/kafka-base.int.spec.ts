import { randomBytes } from 'node:crypto';
import { describeWithKafka, kafkaBrokers } from '../../../test/support/kafka';
import { certnameOf, newRecord, readRecords } from '../contract/command-log-contract';
import type { LogRecord, Position } from '../record';
import type { KafkaCommandLog } from './kafka-command-log';
import { OpenLogs } from './testing/open-logs';

const logs = new OpenLogs(kafkaBrokers);
afterEach(() => logs.closeAll());

const wide = { maxRecords: 1000, maxBytes: 64 << 20 };
const at = ({ partition, offset }: Position): string => `${partition}:${offset}`;

async function fill(log: KafkaCommandLog, count: number, partitions = 2): Promise<void> {
  for (let n = 0; n < count; n++) {
    await log.append(newRecord(certnameOf(n % partitions, partitions), { version: n, payload: randomBytes(2000) }));
  }
}

async function everything(log: KafkaCommandLog, start?: ReadonlyMap<number, number>): Promise<LogRecord[]> {
  const [from, ends] = [start ?? (await log.starts()), await log.ends()];
  const reader = log.reader(from);
  const open = new Map([...ends].filter(([partition, end]) => end > (from.get(partition) ?? 0)));
  const records: LogRecord[] = [];
  while (open.size > 0) {
    for (const record of await reader.next(wide, AbortSignal.timeout(10_000))) {
      records.push(record);
      if ((record.next ?? record.offset + 1) >= (open.get(record.partition) ?? Infinity)) open.delete(record.partition);
    }
  }
  await reader.close();
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}

async function* given(records: readonly LogRecord[]): AsyncGenerator<LogRecord> {
  for (const record of records) yield record;
}

const tailsAt = (first: number, second: number): Map<number, number> =>
  new Map([
    [0, first],
    [1, second],
  ]);

describeWithKafka('a base of the log on Kafka', () => {
  it('stands for what lies before the tail', async () => {
    const topic = logs.topic();
    const log = await logs.open(topic);
    await fill(log, 40);
    const all = await everything(log);
    const kept = all.filter(
      ({ partition, offset }) => offset < 11 && (partition === 0 ? offset % 3 === 0 : offset === 4),
    );
    const prepared = await log.prepareBase(tailsAt(11, 15), given(kept));
    expect(await log.starts()).toEqual(tailsAt(1, 1));
    expect(await prepared.starts()).toEqual(tailsAt(3, 4));
    const early = prepared.reader(tailsAt(3, 4));
    const first = await readRecords(early, 3 + 1 + 10 + 6);
    expect(first).toHaveLength(20);
    await early.close();
    await prepared.commit();
    expect([await log.starts(), await log.tails()]).toEqual([tailsAt(3, 4), tailsAt(11, 15)]);
    const records = await everything(log);
    const expected = [
      ...kept.filter(({ partition }) => partition === 0),
      ...all.filter(({ partition, offset }) => partition === 0 && offset >= 11),
      ...kept.filter(({ partition }) => partition === 1),
      ...all.filter(({ partition, offset }) => partition === 1 && offset >= 15),
    ];
    expect(records.map(at)).toEqual(expected.map(at));
    expect(records.map(({ next }) => next).filter((next) => next !== undefined)).toEqual([6, 9, 11, 15]);
    expect(records.map(({ uuid }) => uuid)).toEqual(expected.map(({ uuid }) => uuid));
    await log.truncate();
    expect((await everything(log)).map(at)).toEqual(expected.map(at));
    const again = await logs.open(topic);
    expect((await everything(again)).map(at)).toEqual(expected.map(at));
  });
});
