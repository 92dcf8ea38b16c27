/** test/commands.md names a test for every case. Each file must exist and contain a test of that title. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandCatalogue } from '#wire';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'test/commands.md'), 'utf8');
const rows = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .flatMap(([, command, answer, file, title]) =>
    file?.startsWith('`') && title?.startsWith('`')
      ? [{ command: command ?? '', answer: answer ?? '', file: file.slice(1, -1), title: title.slice(1, -1) }]
      : [],
  );

test('the page has rows', () => {
  expect(rows.length).toBeGreaterThan(40);
});

test.each(rows)('$command: $file has “$title”', ({ file, title }) => {
  const source = readFileSync(join(root, file), 'utf8');
  expect(file).toMatch(/\.spec\.ts$/);
  expect(["'", '`', '"'].some((quote) => source.includes(`${quote}${title}${quote}`))).toBe(true);
});

const versions = [...commandCatalogue].flatMap(([command, { minimum, current }]) =>
  Array.from({ length: current - minimum + 1 }, (_, i) => `${command} ${minimum + i}`),
);
test.each(versions)('%s is accepted and rejected somewhere on the page', (version) => {
  const mine = rows.filter(({ command }) => command.startsWith(`${version}:`));
  expect(mine.some(({ answer }) => answer === 'applied')).toBe(true);
  expect(mine.some(({ answer }) => answer === 'rejected')).toBe(true);
});
