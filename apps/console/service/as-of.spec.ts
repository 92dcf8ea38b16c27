import { readTime } from './as-of';

// A Saturday, at noon in the zone of the test.
const now = new Date(2026, 10, 21, 12, 0).getTime();
const local = (day: number, hours: number, minutes: number): string =>
  new Date(2026, 10, day, hours, minutes).toISOString();

test.each([
  ['2 days ago', new Date(now - 2 * 86_400_000).toISOString()],
  ['90m', new Date(now - 90 * 60_000).toISOString()],
  ['1 week ago', new Date(now - 7 * 86_400_000).toISOString()],
  ['thu 14:10', local(19, 14, 10)],
  ['Thursday 14:10', local(19, 14, 10)],
  // Today is a Saturday, but its afternoon is in the future. So the text means the Saturday a week earlier.
  ['sat 14:10', local(14, 14, 10)],
  ['yesterday', local(20, 12, 0)],
  ['yesterday 8:05', local(20, 8, 5)],
  ['08:05', local(21, 8, 5)],
  ['2026-11-19 14:10', local(19, 14, 10)],
  ['2026-11-19', local(19, 0, 0)],
  ['2026-11-19T14:10:00Z', '2026-11-19T14:10:00.000Z'],
])('%s is a time', (text, time) => {
  expect(readTime(text, now)).toBe(time);
});

test.each(['', 'soon', 'thu 25:00', '12:60', 'monkey business', '2026-99-99', '3 fortnights ago'])(
  '%j is not a time',
  (text) => {
    expect(readTime(text, now)).toBeUndefined();
  },
);
