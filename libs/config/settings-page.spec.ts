import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingTable } from './setting-table';

it('docs/settings.md names every setting with its default', () => {
  const page = readFileSync(join(__dirname, '../../docs/settings.md'), 'utf8').replaceAll(/ +/g, ' ');
  for (const { key, fallback } of settingTable) {
    expect(page).toContain(`| \`${key}\` | ${fallback === undefined ? '(not set)' : `\`${fallback}\``} |`);
  }
});
