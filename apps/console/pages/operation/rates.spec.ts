import type { Operation } from '../../service/shapes';
import { ratesOf } from './rates';

const answer = (at: string, ...partitions: readonly (readonly [end: number, applied: number])[]): Operation =>
  ({
    at,
    partitions: partitions.map(([end, applied], partition) => ({ partition, end, applied })),
  }) as unknown as Operation;

test('divides what was accepted and applied by the time between the answers', () => {
  const before = answer('2026-11-24T12:00:00.000Z', [100, 90], [50, 50]);
  const now = answer('2026-11-24T12:00:10.000Z', [120, 120], [50, 50], [7, 7]);
  const rates = ratesOf(before, now);
  expect([rates.accepted, rates.applied]).toEqual([2, 3]);
  expect([...rates.partitions]).toEqual([
    [0, 3],
    [1, 0],
    [2, 0],
  ]);
});
