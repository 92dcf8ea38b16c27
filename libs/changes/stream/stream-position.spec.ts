import { isAtOrAfter, laterOf, readPosition, type StreamPosition, writePosition } from './stream-position';

const log = '0123456789abcdef';
const at = (offsets: readonly number[], times: readonly number[] = offsets.map(() => 5)): StreamPosition => ({
  ...{ log, offsets, times },
});

test('a position has the earliest time of the partitions that have records', () => {
  expect(writePosition(at([7, 1, 12], [30, -Infinity, 20]))).toBe(`${log}:7,1,12@20`);
  expect(readPosition(`${log}:7,1,12@20`)).toEqual(at([7, 1, 12], [20, -Infinity, 20]));
  expect(writePosition(at([1, 1], [-Infinity, -Infinity]))).toBe(`${log}:1,1@0`);
});

test.each([
  '',
  'x',
  `${log}:1`,
  `${log}:@5`,
  `${log}:1,@5`,
  `${log}:1,-2@5`,
  `${log}:1@1.5`,
  `${log.toUpperCase()}:1@5`,
  `${log}:1@5\n`,
  `${log}:${'9'.repeat(16)}@5`,
  `${log}:${'1,'.repeat(1_024)}1@5`,
  `${log}:${'1,'.repeat(100_000)}1@5`,
])('%.40j is not a position', (text) => {
  expect(readPosition(text)).toBeUndefined();
});

test('positions of each partition are compared', () => {
  expect(isAtOrAfter(at([3, 4]), at([3, 3]))).toBe(true);
  expect(isAtOrAfter(at([3, 4]), at([2, 5]))).toBe(false);
  expect(isAtOrAfter(at([3, 4]), { ...at([1, 1]), log: 'other' })).toBe(false);
});

test('a position never moves backwards, except to another log', () => {
  expect(laterOf(at([3, 9], [30, 90]), at([5, 4], [50, 40]))).toEqual(at([5, 9], [50, 90]));
  const other = { ...at([1, 1]), log: 'fedcba9876543210' };
  expect(laterOf(at([3, 9]), other)).toBe(other);
});
