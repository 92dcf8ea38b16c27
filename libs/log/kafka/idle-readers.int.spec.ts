import { getEventListeners } from 'node:events';
import { freePorts } from '../../../test/support/free-ports';
import { KafkaCommandLog } from './kafka-command-log';

const listeners = (log: KafkaCommandLog): number =>
  getEventListeners((log as unknown as { closing: AbortController }).closing.signal, 'abort').length;

test('a reader of a log that is not open leaves no listeners behind, however often it is called', async () => {
  const [port] = (await freePorts(1)) as [number];
  const log = new KafkaCommandLog({
    ...{ brokers: [`127.0.0.1:${port}`], topic: 'none', partitions: 1, maxPayloadBytes: 1 << 20 },
    askMs: 50,
  });
  const reader = log.reader(new Map([[0, 1]]));
  const { signal } = new AbortController();
  const before = listeners(log);
  for (let n = 0; n < 15; n++) {
    await expect(reader.next({ maxRecords: 1, maxBytes: 1 }, signal)).rejects.toMatchObject({ kind: 'busy' });
  }
  expect(listeners(log)).toBe(before);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  await log.close();
});
