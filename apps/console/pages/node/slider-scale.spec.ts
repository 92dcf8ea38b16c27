import { barsOf, momentBeside, ticksOf, windowOf } from './slider-scale';

const now = new Date(2026, 10, 24, 14, 30).getTime();
const hour = 3_600_000;
const at = (hoursAgo: number, isFailed = false, size = 1): { time: number; isFailed: boolean; size: number } => ({
  time: now - hoursAgo * hour,
  isFailed,
  size,
});

test('chooses the smallest window that contains every change', () => {
  expect([[], [at(0.5)], [at(20), at(1)], [at(300)], [at(1000)]].map((moments) => windowOf(moments, now))).toEqual([
    '1h',
    '1h',
    '24h',
    '14d',
    'all',
  ]);
});

test('steps from change to change, and from the last one to the present', () => {
  const moments = [at(3), at(2), at(1)];
  const beside = (hoursAgo: number, step: 1 | -1): number | undefined => {
    const time = momentBeside(moments, now - hoursAgo * hour, step);
    return time === undefined ? undefined : (now - time) / hour;
  };
  expect([beside(0, -1), beside(2, -1), beside(2.5, -1), beside(3, -1)]).toEqual([1, 3, 3, undefined]);
  expect([beside(4, 1), beside(2, 1), beside(1, 1)]).toEqual([3, 1, undefined]);
});

test('merges changes in a column to one bar, which is red if one of them failed', () => {
  const moments = [at(30), at(5), at(4.99, true, 100), at(0.01)];
  expect(barsOf(moments, now - 10 * hour, now, 600, 40)).toEqual([
    { x: 300, height: 8 + 9 * Math.log10(101), isFailed: true },
    { x: 594, height: 8, isFailed: false },
  ]);
  expect(barsOf([at(1, false, 1e9)], now - 2 * hour, now, 600, 40)[0]?.height).toBe(40);
});

test('draws lines at whole hours or days of the viewer', () => {
  const texts = (from: number, most: number): string[] =>
    ticksOf(from, now, most).map((time) => new Date(time).toTimeString().slice(0, 5));
  expect(texts(now - hour, 13)).toHaveLength(13);
  expect(texts(now - 4 * hour, 5)).toEqual(['11:00', '12:00', '13:00', '14:00']);
  expect(texts(now - 14 * 24 * hour, 14)).toEqual(Array.from({ length: 14 }, () => '00:00'));
  expect(ticksOf(now - 20 * 365 * 24 * hour, now, 10).length).toBeLessThanOrEqual(11);
});
