import { fromPlain } from './json';
import { readRelativeTime, shortDuration } from './relative-time';

test.each<[unknown, number | undefined]>([
  ['2 hours ago', -7_200],
  ['1 hour ago', -3_600],
  ['90m ago', -5_400],
  ['30 seconds ago', -30],
  [' 3 days ago ', -259_200],
  ['1w ago', -604_800],
  ['0 days ago', 0],
  [['now'], 0],
  [['-', ['now'], '2h'], -7_200],
  [['-', ['now'], '2 hours'], -7_200],
  [['+', ['now'], '5m'], 300],
  ['2 months ago', undefined],
  ['2 hours', undefined],
  ['2hago', undefined],
  ['-2 hours ago', undefined],
  ['yesterday', undefined],
  ['now', undefined],
  [['-', 'now', '2h'], undefined],
  [['-', ['now'], 2], undefined],
  [['-', ['now'], '2h', '1h'], undefined],
  [['*', ['now'], '2h'], undefined],
  [5, undefined],
  [null, undefined],
])('%j is %s seconds from now', (value, seconds) => {
  expect(readRelativeTime(fromPlain(value))).toBe(seconds);
});

test('what is too far away is refused', () => {
  expect(readRelativeTime('36500 days ago')).toBe(-36_500 * 86_400);
  expect(() => readRelativeTime('36501 days ago')).toThrow('"36501 days ago" is too far away: at most 36500 days');
  expect(() => readRelativeTime(['+', ['now'], '999999999w'])).toThrow('at most 36500 days');
});

test.each([
  ['2 hours', '2h'],
  ['02h', '2h'],
  ['10 minutes', '10m'],
  ['0s', '0s'],
])('%s is short for %s', (text, short) => {
  expect(shortDuration(text)).toBe(short);
});
