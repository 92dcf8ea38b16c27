import { readByteSize } from './byte-size';

test.each([
  ['20000000', 20_000_000],
  ['20 MB', 20_000_000],
  ['20m', 20_000_000],
  ['1.5kB', 1_500],
  ['16MiB', 16_777_216],
  ['1 gib', 1_073_741_824],
  ['7B', 7],
])('%s is %i bytes', (text, bytes) => expect(readByteSize(text)).toBe(bytes));

test.each(['', '-1', 'MB', '1 TB', '0.0001kB', 'ten', '1e6', '9999999GB'])('%j is no size', (text) =>
  expect(readByteSize(text)).toBeUndefined(),
);
