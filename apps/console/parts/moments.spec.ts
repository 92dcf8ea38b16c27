import { ageText, durationText, momentText } from './moments';

const now = new Date(2026, 10, 24, 14, 30).getTime();
const before = (minutes: number): number => now - minutes * 60_000;

test('says ages up to a day, and then dates', () => {
  expect([0, 0.5, 11, 90, 23 * 60, 40 * 60, 400 * 24 * 60].map((minutes) => ageText(before(minutes), now))).toEqual([
    'now',
    '30 s ago',
    '11 min ago',
    '1 h ago',
    '23 h ago',
    '22 Nov, 22:30',
    '20 Oct 2025, 14:30',
  ]);
});

test('says only the time for moments of today', () => {
  expect([momentText(before(60), now), momentText(before(24 * 60), now)]).toEqual(['13:30', 'yesterday, 14:30']);
});

test('says durations in the unit that people would use', () => {
  expect([40, 1500, 18_500, 67_000, 7_260_000, 259_000_000].map(durationText)).toEqual([
    '40 ms',
    '1.5 s',
    '19 s',
    '1 min 7 s',
    '2 h 1 min',
    '3 days',
  ]);
});
