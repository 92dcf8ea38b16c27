import { lineOfRows } from './line-of-rows';

const [first, second] = ['2026-11-25T20:00:00Z', '2026-11-25T21:00:00.5+00:00'];

test('a line goes through the rows in the order of their times', () => {
  const rows = [
    { certname: 'a', at: second, seconds: 3 },
    { certname: 'a', at: first, seconds: 2.5 },
  ];
  expect(lineOfRows(rows)).toEqual({
    column: 'seconds',
    timeColumn: 'at',
    times: [Date.parse(first) / 1000, Date.parse(second) / 1000],
    figures: [2.5, 3],
  });
});

test.each([
  ['one row', [{ at: first, seconds: 1 }]],
  ['no times', [1, 2].map((seconds) => ({ at: 'soon', seconds }))],
  ['a time that is missing', [first, null].map((at) => ({ at, seconds: 1 }))],
  ['no numbers', [first, second].map((at) => ({ at, seconds: '1' }))],
  ['rows of several nodes', ['a', 'b'].map((certname) => ({ certname, at: first, seconds: 1 }))],
])('%s make no line', (_, rows) => {
  expect(lineOfRows(rows)).toBeUndefined();
});
