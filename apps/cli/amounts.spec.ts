import { amount, formatDuration, formatRate } from './amounts';

test.each([
  [0.0004, '0 ms'],
  [0.85, '850 ms'],
  [12.34, '12.3 s'],
  [250, '4 min 10 s'],
  [3599.7, '1 h 0 min'],
  [7500, '2 h 5 min'],
])('%d seconds are %s', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

test('amounts and rates', () => {
  expect(amount(1, 'row')).toBe('1 row');
  expect(amount(1234567, 'record')).toBe('1,234,567 records');
  expect(formatRate(3000, 2)).toBe('3,000 records in 2.0 s (1,500/s)');
  expect(formatRate(0, 0)).toBe('0 records in 0 ms');
});
