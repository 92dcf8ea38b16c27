/** Tests that docs/reliability.md lists exactly the alerts of the program. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertCodes } from '#observe';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/reliability.md'), 'utf8');
const table = page.slice(page.indexOf('## Alerts'), page.indexOf('## Which clock decides what'));
const rows = table
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .flatMap(([, code, ...cells]) =>
    code?.startsWith('`') ? [{ code: code.slice(1, -1), cells: cells.slice(0, 3) }] : [],
  );

test('every alert has a row, in the order of the program', () => {
  expect(rows.map(({ code }) => code)).toEqual(alertCodes);
});

test.each(rows)('$code: meaning, what still works, what to do', ({ cells }) => {
  expect(cells.filter((cell) => cell.length > 10)).toHaveLength(3);
});
