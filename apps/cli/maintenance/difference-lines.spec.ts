import type { Difference } from '#projections';
import { differenceLines, differingRow } from './difference-lines';

const difference = (over: Partial<Difference> = {}): Difference => ({
  table: 'factsets',
  certname: 'web1.test',
  live: '{"node":5260204364768739329,"hash":"\\\\x01","n":1.0}',
  replayed: '{"node":5260204364768739329,"hash":"\\\\x02","n":1.0}',
  ...over,
});
const comparison = (...differences: Difference[]) => ({ differences, counted: differences.length, rows: 100 });

test('only the columns that differ are named', () => {
  expect(differingRow(difference())).toEqual({
    table: 'factsets',
    certname: 'web1.test',
    in: 'both',
    columns: [{ column: 'hash', live: '"\\\\x01"', replayed: '"\\\\x02"' }],
  });
  expect(differenceLines(comparison(difference()), 20)).toBe(
    'factsets of web1.test: differs\n    hash: live "\\\\x01", log "\\\\x02"\n',
  );
});

test('numbers that only differ behind what a double keeps do differ', () => {
  const rows = { live: '{"key":5260204364768739329}', replayed: '{"key":5260204364768739330}' };
  expect(differingRow(difference(rows)).columns).toEqual([
    { column: 'key', live: '5260204364768739329', replayed: '5260204364768739330' },
  ]);
});

test('a row that only one has is told whole', () => {
  const live = differenceLines(
    comparison(difference({ replayed: null, certname: null, live: '{"a":1,"b":null}' })),
    20,
  );
  expect(live).toBe('factsets: only in the live tables\n    a: 1\n    b: null\n');
  const replayed = differingRow(difference({ live: null }));
  expect([replayed.in, replayed.columns.map(({ column }) => column)]).toEqual(['replayed', ['node', 'hash', 'n']]);
});

test('what is long is cut, what is many is counted, no control character gets through', () => {
  const long = difference({ certname: 'a\u001b[31m', live: null, replayed: `{"v":"${'x'.repeat(500)}"}` });
  const text = differenceLines({ ...comparison(long, long, long), counted: 7 }, 2);
  expect(text).not.toContain('\u001b');
  expect(text).toMatch(/x…\n/);
  expect(text.match(/^factsets/gm)).toHaveLength(2);
  expect(text).toMatch(/and 5 more rows\n$/);
  expect(differenceLines({ ...comparison(difference()), counted: 7 }, 20)).toMatch(/and 6 more rows\n$/);
});
