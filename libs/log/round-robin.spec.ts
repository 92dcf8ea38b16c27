import { firstRecords, takeRoundRobin } from './round-robin';
import type { LogRecord } from './record';

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
const wide = { maxRecords: 100, maxBytes: 10_000 };

/**
 * Makes partitions with records of 10 bytes each, and takes records. Returns the offsets in the order in which the
 * records are taken.
 */
function log(ends: readonly number[], sizes: Readonly<Record<string, number>> = {}) {
  const next = new Map(ends.map((_, partition) => [partition, 1]));
  const recordAt = (partition: number, offset: number): LogRecord | undefined =>
    offset < (ends[partition] ?? 0) ? record(partition, offset, sizes[`${partition}-${offset}`]) : undefined;
  const take = (limits: typeof wide): string[] =>
    takeRoundRobin(next, limits, recordAt).map(({ partition, offset }) => `${partition}-${offset}`);
  return { next, take };
}

test('reading begins behind the header record', () => {
  const starts = new Map([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
  expect([...firstRecords(starts).values()]).toEqual([1, 1, 2]);
});

test('takes all there is, by partition and offset, and moves on', () => {
  const { next, take } = log([3, 1, 2]);
  expect(take(wide)).toEqual(['0-1', '0-2', '2-1']);
  expect(new Map(next)).toEqual(
    new Map([
      [0, 3],
      [1, 1],
      [2, 2],
    ]),
  );
  expect(take(wide)).toEqual([]);
});

test('takes from one partition alone', () => {
  expect(log([4]).take(wide)).toEqual(['0-1', '0-2', '0-3']);
  expect(log([4]).take({ ...wide, maxRecords: 2 })).toEqual(['0-1', '0-2']);
});

test('takes one of each partition in turn, up to the number of records', () => {
  expect(log([9, 9]).take({ ...wide, maxRecords: 4 })).toEqual(['0-1', '0-2', '1-1', '1-2']);
  expect(log([9, 9]).take({ ...wide, maxRecords: 3 })).toEqual(['0-1', '0-2', '1-1']);
  expect(log([9, 9]).take({ ...wide, maxRecords: 1 })).toEqual(['0-1']);
});

test('begins with another partition each time', () => {
  const { take } = log([9, 9, 9]);
  expect([1, 2, 3, 4].flatMap(() => take({ ...wide, maxRecords: 1 }))).toEqual(['0-1', '1-1', '2-1', '0-2']);
});

test('fills the bytes to the last one, and takes no more', () => {
  expect(log([9]).take({ ...wide, maxBytes: 30 })).toEqual(['0-1', '0-2', '0-3']);
  expect(log([9]).take({ ...wide, maxBytes: 29 })).toEqual(['0-1', '0-2']);
});

test('takes one record however large it is, and smaller ones of other partitions where there is room', () => {
  expect(log([9], { '0-1': 500 }).take({ ...wide, maxBytes: 30 })).toEqual(['0-1']);
  expect(log([9, 9, 9], { '1-1': 500 }).take({ ...wide, maxBytes: 20 })).toEqual(['0-1', '2-1']);
});

test('goes on over the holes of a base', () => {
  const next = new Map([[0, 1]]);
  const base: Record<number, LogRecord> = { 1: { ...record(0, 1), next: 7 }, 7: { ...record(0, 7), next: 20 } };
  const taken = takeRoundRobin(next, wide, (_, offset) => base[offset]);
  expect(taken.map(({ offset }) => offset)).toEqual([1, 7]);
  expect(next.get(0)).toBe(20);
});
