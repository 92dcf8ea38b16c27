import { historyWithin } from './periodic-snapshot';

const day = 86_400_000;
const size = { bytes: 1_000, mostBytes: 800, tailBytes: 800, since: 0 };

test.each([
  // The tail has 800 bytes and covers ten days. 400 bytes must be removed, so five days remain.
  [{}, 5 * day],
  [{ bytes: 600, mostBytes: 800 }, 10 * day],
  // The base alone is larger than the limit.
  [{ bytes: 5_000 }, 0],
  [{ tailBytes: 0 }, 0],
  [{ since: undefined }, 0],
])('%j: the history that stays has %d ms', (over, expected) => {
  expect(historyWithin({ ...size, ...over }, 10 * day)).toBe(expected);
});
