import { defaultProjectorThreads } from './projector-threads';

const gigabyte = 2 ** 30;

test.each([
  [1, 64, 1],
  [2, 64, 1],
  [4, 64, 2],
  [32, 64, 4],
  [32, 5, 2],
  [32, 3, 1],
  [1, 0.5, 1],
])('%d processors and %d GB of memory: %d threads', (processors, gigabytes, threads) => {
  expect(defaultProjectorThreads(processors, gigabytes * gigabyte)).toBe(threads);
});
