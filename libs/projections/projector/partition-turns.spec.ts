import type { LogRecord } from '#log';
import { PartitionTurns } from './partition-turns';

const read = (...positions: string[]): LogRecord[] =>
  positions.map((position) => {
    const [partition, offset] = position.split('-').map(Number);
    return { partition, offset } as LogRecord;
  });
const positionsOf = (parts: (readonly LogRecord[])[]): string[][] =>
  parts.map((part) => part.map(({ partition, offset }) => `${partition}-${offset}`));

test('keeps records together unless a partition was heavy', () => {
  const turns = new PartitionTurns();
  const records = read('0-1', '0-2', '3-1');
  expect(positionsOf(turns.inOrder(records))).toEqual([['0-1', '0-2', '3-1']]);
  turns.applied(records, false);
  expect(turns.inOrder(records)).toHaveLength(1);
});

test('puts heavy partitions last, each alone, the one that has waited longest first', () => {
  const turns = new PartitionTurns();
  turns.applied(read('0-1'), true);
  turns.applied(read('2-1'), true);
  const records = read('0-2', '0-3', '1-1', '2-2', '3-1');
  expect(positionsOf(turns.inOrder(records))).toEqual([['1-1', '3-1'], ['0-2', '0-3'], ['2-2']]);
  turns.applied(read('0-2'), true);
  expect(positionsOf(turns.inOrder(records))).toEqual([['1-1', '3-1'], ['2-2'], ['0-2', '0-3']]);
});

test('forgets a partition after a batch of it that was not heavy', () => {
  const turns = new PartitionTurns();
  turns.applied(read('0-1'), true);
  turns.applied(read('0-2'), false);
  expect(turns.inOrder(read('0-3', '1-1'))).toHaveLength(1);
});
