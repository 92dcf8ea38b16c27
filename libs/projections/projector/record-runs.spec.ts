import type { LogRecord } from '#log';
import { recordRuns } from './record-runs';

const records = (commands: string): LogRecord[] =>
  [...commands].map(
    (letter, index) => ({ offset: index + 1, command: letter === 'd' ? 'replace facts' : 'delete node' }) as LogRecord,
  );
const runs = (commands: string): number[][] =>
  [...recordRuns(records(commands))].map((run) => run.map(({ offset }) => offset));

test.each([
  ['', []],
  ['d', [[1]]],
  ['r', [[1]]],
  ['ddd', [[1, 2, 3]]],
  ['rr', [[1, 2]]],
  ['ddrrd', [[1, 2], [3, 4], [5]]],
  ['rdr', [[1], [2], [3]]],
])('%j: a run never has both documents and maintenance records, and their order stays', (commands, expected) => {
  expect(runs(commands)).toEqual(expected);
});
