import { retryDelay } from './retry-delay';

it('doubles with each failure, up to the longest delay', () => {
  const delays = [1, 2, 3, 4, 5, 2_000].map((failures) => retryDelay(failures, { firstMs: 100, longestMs: 1_000 }));
  expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
});
