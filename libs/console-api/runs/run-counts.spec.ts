import { type Bucket, bucketMs, RunCounts } from './run-counts';

const noon = Date.UTC(2026, 0, 1, 12);
const one: Bucket = { runs: [{ environment: 'production', kind: 'failed', count: 1 }], codes: [] };

/** Makes a RunCounts with a clock that the test sets. Records which half hours are read. */
function counting() {
  const clock = { now: noon };
  const read: [hours: number, hours: number][] = [];
  const counts = new RunCounts(() => clock.now);
  const between = (from: number, to: number): Promise<ReadonlyMap<number, Bucket>> =>
    counts.between(from, to, async (start, end) => {
      read.push([(start - noon) / 3_600_000, (end - noon) / 3_600_000]);
      return new Map([[start, one]]);
    });
  return { clock, read, between };
}

it('reads six hours at once, and half hours again when their counts may have changed', async () => {
  const { clock, read, between } = counting();
  const day = await between(noon - 12 * 3_600_000, noon + bucketMs);
  expect([read, day.size, day.get(noon)]).toEqual([
    [
      [-12, -6],
      [-6, 0],
      [0, 6],
    ],
    25,
    one,
  ]);
  read.length = 0;
  clock.now += 1_000;
  await between(noon - 12 * 3_600_000, noon + bucketMs);
  expect(read).toEqual([]);
  clock.now += 2_000;
  await between(noon - 12 * 3_600_000, noon + bucketMs);
  // The previous half hour is read again, because reports arrive late.
  expect(read).toEqual([
    [-0.5, 0],
    [0, 6],
  ]);
  read.length = 0;
  clock.now += 700_000;
  await between(noon - 12 * 3_600_000, noon + bucketMs);
  expect(read).toEqual([
    [-12, -6],
    [-6, 0],
    [0, 6],
  ]);
});

it('shares a reading between calls', async () => {
  const { read, between } = counting();
  await Promise.all([between(noon, noon + bucketMs), between(noon, noon + bucketMs)]);
  expect(read).toEqual([[0, 6]]);
});

it('tries again after a failure', async () => {
  const counts = new RunCounts(() => noon);
  const failure = new Error('no database');
  await expect(counts.between(noon, noon + bucketMs, () => Promise.reject(failure))).rejects.toBe(failure);
  const found = await counts.between(noon, noon + bucketMs, async () => new Map([[noon, one]]));
  expect(found.get(noon)).toBe(one);
});
