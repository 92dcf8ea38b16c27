import { alignedCutoff, cutoffStep } from './aligned-cutoff';

const minute = 60_000;
const day = 1_440 * minute;

it.each([
  [365 * day, day],
  [14 * day, day],
  [7 * day, day],
  [7 * day - 1, 12 * 60 * minute],
  [day, 3 * 60 * minute],
  [60 * minute, 5 * minute],
  [10 * minute, minute],
  [minute, 5_000],
  [7_000, 1_000],
  [6_999, 1],
  [1, 1],
])('an age limit of %d ms has steps of %d ms', (ttl, step) => {
  expect(cutoffStep(ttl)).toBe(step);
});

it('keeps everything for its age limit at least, and for a seventh more at most', () => {
  for (const ttl of [1, 3_000, 10_000, 5 * minute, 90 * minute, 2 * day, 14 * day]) {
    for (let now = Date.UTC(2026, 0, 1), turn = 0; turn < 500; turn++, now += 7_919_111) {
      const late = now - ttl - alignedCutoff(now, ttl);
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThanOrEqual(ttl / 7);
    }
  }
});

it('has one cut-off a day where cleaning runs every hour, before 1970 too', () => {
  for (const begin of [Date.UTC(2026, 4, 1), Date.UTC(1969, 4, 1)]) {
    const cutoffs = Array.from({ length: 72 }, (_, index) => alignedCutoff(begin + index * 60 * minute, 14 * day));
    expect(new Set(cutoffs).size).toBe(3);
  }
});
