import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { LogRecord } from '../record';
import { RecordCache } from './record-cache';

const record = (partition: number, offset: number, bytes = 10): LogRecord => ({
  uuid: '00000000-0000-4000-8000-000000000000',
  command: 'replace facts',
  version: 5,
  certname: 'a',
  receivedAt: 0,
  encoding: 'identity',
  payload: Buffer.alloc(bytes),
  partition,
  offset,
});
const held = (cache: RecordCache, partition: number, offsets: readonly number[]): number[] =>
  offsets.filter((offset) => cache.get(partition, offset) !== undefined);

test('gives what it was given', () => {
  const cache = new RecordCache(100);
  const [first, other] = [record(0, 1), record(1, 1)];
  cache.add(first);
  cache.add(other);
  expect([cache.get(0, 1), cache.get(1, 1), cache.get(0, 2), cache.get(2, 1)]).toEqual([
    first,
    other,
    undefined,
    undefined,
  ]);
});

test('holds as many bytes as it may, and lets go of the oldest', () => {
  const cache = new RecordCache(30);
  for (const offset of [1, 2, 3]) cache.add(record(0, offset));
  expect(held(cache, 0, [1, 2, 3])).toEqual([1, 2, 3]);
  cache.add(record(1, 1));
  expect(held(cache, 0, [1, 2, 3])).toEqual([2, 3]);
  cache.add(record(1, 2, 20));
  expect([held(cache, 0, [1, 2, 3]), held(cache, 1, [1, 2])]).toEqual([[], [1, 2]]);
});

test('does not hold one that is larger than it may be', () => {
  const cache = new RecordCache(30);
  cache.add(record(0, 1));
  cache.add(record(0, 2, 31));
  expect(held(cache, 0, [1, 2])).toEqual([]);
  cache.add(record(0, 3, 30));
  expect(held(cache, 0, [3])).toEqual([3]);
});

test('lets go of what every reader has passed, in order, up to the first that one has not', () => {
  const cache = new RecordCache(1_000);
  for (const offset of [1, 2, 3, 4]) cache.add(record(0, offset));
  cache.dropPassed(({ offset }) => offset !== 3);
  expect(held(cache, 0, [1, 2, 3, 4])).toEqual([3, 4]);
  cache.dropPassed(() => true);
  expect(held(cache, 0, [3, 4])).toEqual([]);
  cache.dropPassed(() => true);
  // The bytes of the removed records are free again.
  for (let offset = 5; offset < 105; offset++) cache.add(record(0, offset));
  expect(cache.get(0, 5)).toBeDefined();
  cache.add(record(0, 105));
  expect(cache.get(0, 5)).toBeUndefined();
});

test('keeps no memory of what it has let go', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const held = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  const cache = new RecordCache(1 << 20);
  for (let offset = 1; offset <= 500; offset++) cache.add(record(0, offset, 200_000));
  expect(held() - before).toBeLessThan(20 << 20);
  cache.dropPassed(() => true);
  expect(held() - before).toBeLessThan(1 << 20);
});

test('goes on after thousands have come and gone', () => {
  const cache = new RecordCache(50);
  for (let offset = 1; offset <= 5_000; offset++) {
    cache.add(record(0, offset));
    const newest = Array.from({ length: 7 }, (_, back) => offset - back).filter((one) => one > 0);
    expect(held(cache, 0, newest)).toEqual(newest.slice(0, 5));
  }
});
