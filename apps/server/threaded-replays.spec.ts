import { defaultReplayThreads } from './threaded-replays';

const gigabyte = 2 ** 30;

test.each([
  [1, 64, 1],
  [2, 64, 2],
  [4, 64, 4],
  [32, 64, 4],
  [32, 5, 2],
  [32, 1, 1],
])('%d processors and %d GB of memory: %d threads of a replay', (processors, gigabytes, threads) => {
  expect(defaultReplayThreads(processors, gigabytes * gigabyte)).toBe(threads);
});
