import { maxWalBytes, sharedBuffers } from './server-settings';

test.each([
  [0.5, '128MB'],
  [4, '256MB'],
  [16, '1024MB'],
  [256, '1024MB'],
])('shared buffers of a machine with %d GB of memory: %s', (gigabytes, expected) => {
  expect(sharedBuffers(gigabytes * 2 ** 30)).toBe(expected);
});

test.each([
  [0.1, 256],
  [1, 512],
  [3, 1_536],
  [100, 2_048],
])('beside %d GB of data on a large disk, the write-ahead log takes %d MB', (gigabytes, megabytes) => {
  expect(maxWalBytes(2 ** 40, gigabytes * 2 ** 30)).toBe(megabytes * 2 ** 20);
});

test.each([
  [0.3, 80],
  [1, 102],
  [5, 512],
  [20, 2_048],
  [500, 2_048],
])('on a disk of %d GB, the write-ahead log takes %d MB', (gigabytes, megabytes) => {
  expect(Math.floor(maxWalBytes(gigabytes * 2 ** 30) / 2 ** 20)).toBe(megabytes);
});
