import { isFault } from '#fault';
import { NumberText } from '../ast/json';
import { readMoment } from './read-moment';

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
  [' 2026-01-31T12:00:00.123456+02:00 ', '2026-01-31T10:00:00.123Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  // A month instead of two positions.
  ['2026-11', '2026-11-01T00:00:00.000Z'],
  ['+99999-01-01', '9999-12-31T00:00:00.000Z'],
  ['-0044-03-15', '0001-01-01T00:00:00.000Z'],
])('%j is the time %s', (text, time) => {
  expect(readMoment(text)).toEqual({ kind: 'time', time });
});

const hour = 3_600;

test.each([
  ['2 days ago', -48 * hour],
  ['30m ago', -hour / 2],
  ['yesterday', -24 * hour],
  ['now', 0],
  ['now()', 0],
  ['now() - 2h', -2 * hour],
  [' now ( )-90 minutes', -1.5 * hour],
  ['now + 1h', hour],
  [['now'], 0],
  [['-', ['now'], '2h'], -2 * hour],
])('%j is %d seconds from now', (value, seconds) => {
  expect(readMoment(value)).toEqual({ kind: 'relative', seconds });
});

test('positions are the next offset of each partition, and the time of the question', () => {
  expect(readMoment('1207,0,93@2026-01-31T12:00:00.5Z')).toEqual({
    kind: 'positions',
    offsets: ['1207', '0', '93'],
    time: '2026-01-31T12:00:00.500Z',
  });
});

test.each([
  '',
  'last week',
  'tomorrow',
  'now() - 2y',
  'now() -',
  'now() - 2h ago',
  '2026-02-30',
  '1207,0,93',
  '1207,,93@2026-01-31',
  ',@2026-01-31',
  '1@infinity',
  '1@+99999-01-01',
  '1@2 days ago',
  `${'9'.repeat(16)}@2026-01-31`,
  ['now', '2h'],
  ['-', ['now'], 2],
  [],
  true,
  new NumberText('1.5'),
])('%j is not a moment, and the refusal shows what is', (value) => {
  let refused: unknown;
  try {
    readMoment(value as never);
  } catch (error) {
    refused = error;
  }
  if (!isFault(refused)) throw new Error('accepted');
  expect([refused.kind, refused.code]).toEqual(['malformed', 'query.as-of']);
  expect(refused.message.length).toBeLessThan(300);
  expect(refused.hint).toContain('X-Nodeledger-As-Of');
});

test('positions are at most as many as a log has partitions', () => {
  const positions = (count: number): string => `${'1,'.repeat(count - 1)}1@2026-01-31`;
  expect(readMoment(positions(1_024))).toMatchObject({ kind: 'positions' });
  expect(() => readMoment(positions(1_025))).toThrow('as_of does not know the moment');
});

test('times further away than a century are refused', () => {
  expect(() => readMoment('40000 days ago')).toThrow('at most 36500 days');
});
