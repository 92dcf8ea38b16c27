import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limitEntry, limitNames, limitTable, settingOfLimit } from '#limits';
import { settingTable } from './setting-table';

const read = (name: string): string => readFileSync(join(__dirname, '../../docs', name), 'utf8').replaceAll(/ +/g, ' ');

it('docs/settings.md names every setting with its default and its meaning', () => {
  const page = read('settings.md');
  const rows = page.split('\n');
  // The page adds references and marks names as code.
  const plain = (text: string): string => text.replaceAll(/ \(\[[^\]]*\]\([^)]*\)\)|`/g, '');
  for (const { key, name, fallback, meaning } of settingTable) {
    if (name in limitTable) continue;
    const start = `| \`${key}\` | ${fallback === undefined ? '(not set)' : `\`${fallback}\``} |`;
    const row = rows.find((line) => line.startsWith(start)) ?? `no row ${start}`;
    expect(plain(row)).toContain(`| ${plain(meaning)} |`);
  }
});

it('docs/limits.md names every limit with its default, its bounds and what it limits', () => {
  const page = read('limits.md');
  for (const name of limitNames) {
    const { value, counts, setting, follows, reason = '' } = limitEntry(name);
    const factor = follows && `${follows.factor} × \`${settingOfLimit(name)?.key}\``;
    expect(page).toContain(
      setting === undefined
        ? `| ${counts} | \`${value}\` | ${factor ?? reason} |`
        : `| \`${setting.key}\` | \`${value}\` | ${setting.from} to ${setting.to} | ${counts} |`,
    );
  }
});
