import { sharedBuffers } from './server-settings';

test.each([
  [0.5, '128MB'],
  [4, '256MB'],
  [16, '1024MB'],
  [256, '1024MB'],
])('shared buffers of a machine with %d GB of memory: %s', (gigabytes, expected) => {
  expect(sharedBuffers(gigabytes * 2 ** 30)).toBe(expected);
});
