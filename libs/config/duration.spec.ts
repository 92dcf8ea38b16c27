import fc from 'fast-check';
import { readDuration, showDuration } from './duration';

test.each([
  ['14d', 1_209_600_000],
  ['12h', 43_200_000],
  ['60m', 3_600_000],
  ['10s', 10_000],
  ['250ms', 250],
  [' 2 D ', 172_800_000],
  ['0', 0],
  ['0s', 0],
])('%s is %i ms', (text, ms) => expect(readDuration(text)).toBe(ms));

test.each(['', '14', '-1d', '1.5h', 'd', '14 days', '1w', '99999999999d'])('%j is no duration', (text) =>
  expect(readDuration(text)).toBeUndefined(),
);

test('what is shown reads back as it was', () => {
  fc.assert(fc.property(fc.nat(2 ** 40), (ms) => readDuration(showDuration(ms)) === ms));
});
