import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitNames, limitTable } from '#limits';
import { settingTable } from './setting-table';

const read = (name: string): string => readFileSync(join(__dirname, '../../docs', name), 'utf8').replaceAll(/ +/g, ' ');

it('docs/settings.md names every setting with its default', () => {
  const page = read('settings.md');
  for (const { key, name, fallback } of settingTable) {
    if (name in limitTable) continue;
    expect(page).toContain(`| \`${key}\` | ${fallback === undefined ? '(not set)' : `\`${fallback}\``} |`);
  }
});

it('docs/limits.md names every limit with its default, its bounds and what it limits', () => {
  const page = read('limits.md');
  for (const name of limitNames) {
    const { key, value, from, to, counts } = limitTable[name];
    expect(page).toContain(`| \`${key}\` | \`${value}\` | ${from} to ${to} | ${counts} |`);
  }
});
