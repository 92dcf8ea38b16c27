/** Tables that Markdown shows as tables: prettier breaks a table apart if a row lacks its last bar. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPages } from './commands/page-commands';

const architecture = { name: 'ARCHITECTURE.md', text: readFileSync(join(__dirname, '../../ARCHITECTURE.md'), 'utf8') };

/** A bar after a backslash is text. */
const cellsOf = (row: string): number => row.split(/(?<!\\)\|/).length - 2;

/** Returns the rows, with their lines, that have another number of cells than the first row, or no bar at the end. */
function brokenRows({ name, text }: { readonly name: string; readonly text: string }): string[] {
  const broken: string[] = [];
  let first: string | undefined;
  const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replaceAll('|', ' '));
  for (const [index, line] of prose.split('\n').entries()) {
    const row = line.trim();
    if (!row.startsWith('|')) first = undefined;
    else if (!row.endsWith('|') || cellsOf(row) !== cellsOf((first ??= row)))
      broken.push(`${name}:${index + 1}: ${row}`);
  }
  return broken;
}

test('a broken table is found', () => {
  const text = '| a | b |\n| - | - |\n| 1 | 2\n|\n| 1 \\| 2 | 3 |\n\n```\n| c\n```\n';
  expect(brokenRows({ name: 'page', text })).toEqual(['page:3: | 1 | 2', 'page:4: |']);
});

test('all rows of a table have the same number of cells', () => {
  expect([architecture, ...readPages()].flatMap(brokenRows)).toEqual([]);
});
