import { getEventListeners } from 'node:events';
import { freePorts } from '../../../test/support/free-ports';
import { Consuming } from './consuming';
import { kafkaClient } from './kafka-connection';
import { KafkaCommandLog } from './kafka-command-log';

/** What waits for the end of the object's life. */
const listeners = (of: object): number =>
  getEventListeners((of as { closing: AbortController }).closing.signal, 'abort').length;

describe('while no broker listens', () => {
  let broker: string;
  beforeAll(async () => {
    broker = `127.0.0.1:${(await freePorts(1))[0]}`;
  });

  it('a reader that is asked again and again leaves nothing behind', async () => {
    const log = new KafkaCommandLog({
      ...{ brokers: [broker], topic: 'none', partitions: 1, maxPayloadBytes: 1 << 20 },
      askMs: 50,
    });
    const reader = log.reader(new Map([[0, 1]]));
    const signal = new AbortController().signal;
    const before = listeners(log);
    for (let n = 0; n < 15; n++) {
      await expect(reader.next({ maxRecords: 1, maxBytes: 1 }, signal)).rejects.toMatchObject({ kind: 'busy' });
    }
    expect(listeners(log)).toBe(before);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await log.close();
  });

  it('a consumer that is replaced again and again leaves nothing behind', async () => {
    const counts: number[] = [];
    let enough: () => void = () => undefined;
    const attempts = new Promise<void>((resolve) => (enough = resolve));
    const consuming: Consuming = new Consuming({
      kafka: kafkaClient({ brokers: [broker] }),
      ...{ group: 'none', topic: 'none' },
      onAssigned: () => undefined,
      onBatch: () => Promise.resolve(),
      onTrouble: () => {
        counts.push(listeners(consuming));
        if (counts.length === 5) enough();
      },
    });
    consuming.start();
    await attempts;
    await consuming.close();
    expect(new Set(counts)).toEqual(new Set([0]));
  });
});
