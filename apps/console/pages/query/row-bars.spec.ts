import { barsOfRows } from './row-bars';

const rows = [
  { 'facts.os.name': 'Debian', 'facts.os.release.full': '12.7', count: 12 },
  { 'facts.os.name': null, 'facts.os.release.full': '9', count: 0.5 },
];

test('makes a bar of each row, labelled by the other columns', () => {
  expect(barsOfRows(rows)).toEqual({
    column: 'count',
    bars: [
      { key: '0', label: 'Debian, 12.7', figure: 12 },
      { key: '1', label: 'null, 9', figure: 0.5 },
    ],
  });
});

test('makes at most 50 bars, and none without a column of numbers', () => {
  expect(barsOfRows(Array.from({ length: 60 }, (_, count) => ({ count })))!.bars).toHaveLength(50);
  expect(barsOfRows([{ certname: 'web1', lines: 7 }, { certname: 'web2' }])).toBeUndefined();
  expect(barsOfRows([])).toBeUndefined();
});
