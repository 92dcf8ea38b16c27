import { Distribution, percentages } from './distribution';
import { MeterSet } from './meter-set';
import { Timer } from './timer';

let now = 0;
const clock = (): number => now;
const distribution = (): Distribution =>
  new Distribution({ highest: 3_600_000, step: 0.001, bounds: [1, 10, 100], clock });
beforeEach(() => (now = 0));

test('is all zeros without values', () => {
  const { count, min, max, mean, standardDeviation, percentiles } = distribution().statistics();
  expect([count, min, max, mean, standardDeviation, ...percentiles]).toEqual(Array(11).fill(0));
});

test('1 to 1,000 ms: percentiles, mean and deviation are right to one percent', () => {
  const found = distribution();
  for (let ms = 1; ms <= 1_000; ms++) found.record(ms);
  const statistics = found.statistics();
  for (const [value, expected] of [
    [statistics.min, 1],
    [statistics.max, 1_000],
    [statistics.mean, 500.5],
    [statistics.standardDeviation, 288.7],
    ...percentages.map((percentage, at) => [statistics.percentiles[at] ?? -1, percentage * 10] as const),
  ] as const) {
    expect(Math.abs(value - expected) / expected).toBeLessThan(0.01);
  }
  expect([found.count, found.sum]).toEqual([1_000, 500_500]);
  expect(found.cumulative()).toEqual([1, 10, 100]);
});

test('values on a bound belong to its bucket; 0, negative and excessive values are kept in range', () => {
  const found = distribution();
  for (const value of [0, -5, 10, 10.001, 1e12, Number.NaN]) found.record(value);
  expect(found.cumulative()).toEqual([3, 4, 5]);
  const { min, max, percentiles } = found.statistics();
  expect(min).toBe(0);
  expect(percentiles[0]).toBe(0);
  expect(Math.abs(max / 3_600_000 - 1)).toBeLessThan(0.01);
});

test('old values leave the percentiles when newer ones come, not before; the buckets keep them', () => {
  const found = distribution();
  found.record(50);
  now = 3_600_000;
  expect(found.statistics().max).toBeCloseTo(50, 0);
  found.record(5);
  expect(found.statistics().max).toBeCloseTo(5, 0);
  now += 301_000;
  found.record(7);
  // The previous window still counts.
  expect(found.statistics().min).toBeCloseTo(5, 0);
  now += 301_000;
  found.record(8);
  expect(found.statistics().min).toBeCloseTo(7, 0);
  expect(found.cumulative()).toEqual([0, 3, 4]);
});

test('values leave the percentiles if nothing was recorded in the window after theirs', () => {
  const found = distribution();
  found.record(50);
  now = 600_000;
  found.record(5);
  expect(found.statistics().max).toBeCloseTo(5, 0);
});

test('a timer is a distribution and rates in one', () => {
  const timer = new Timer(clock);
  timer.record(3);
  timer.record(4);
  now = 5_000;
  expect([timer.count, timer.sum, timer.rates().oneMinute]).toEqual([2, 7, 0.4]);
  expect(timer.cumulative().slice(0, 4)).toEqual([0, 0, 2, 2]);
});

test('a set makes each meter once, and never more than a thousand', () => {
  const set = new MeterSet(['name', 'status'], () => ({ count: 0 }));
  set.of('a', '1').count++;
  set.of('a', '1').count++;
  expect([set.of('a', '1').count, set.find('b', '1')]).toEqual([2, undefined]);
  for (let one = 0; one < 5_000; one++) set.of(String(one), 'x').count++;
  expect(set.all()).toHaveLength(1_001);
  expect(set.of('other', 'other').count).toBe(5_000 - 999);
});

test('an event makes no objects, and next to no garbage', () => {
  const set = new MeterSet(['route', 'status'], () => new Timer());
  const record = (times: number): void => {
    for (let one = 0; one < times; one++) set.of('/pdb/query/v4', '200').record(one % 500);
  };
  const grown = [0, 1, 2, 3, 4].map(() => {
    const before = process.memoryUsage().heapUsed;
    record(100_000);
    return process.memoryUsage().heapUsed - before;
  });
  // The bound allows for the numbers of 16 bytes that the clock returns. One more object or list for each value would
  // take at least twice as much.
  expect(Math.min(...grown.filter((bytes) => bytes > 0))).toBeLessThan(100_000 * 40);
});
