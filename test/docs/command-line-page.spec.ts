import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verbGroups } from '../../apps/cli/command-line';
import { markdownTable } from './markdown-table';

const file = join(__dirname, '../../docs/command-line.md');

it('docs/command-line.md has the table of the verbs (NODELEDGER_WRITE_PAGES=1 writes it)', () => {
  const rows = Object.values(verbGroups)
    .flat()
    .map(({ name, summary, page }) => [`\`${name}\``, summary, page === undefined ? '' : `[${page}](${page})`]);
  const table = markdownTable(['verb', 'does', 'page'], rows);
  if (process.env['NODELEDGER_WRITE_PAGES'] === '1') {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\|[^]*^\|.*$/m, table));
  }
  expect(readFileSync(file, 'utf8')).toContain(`\n${table}\n`);
});
