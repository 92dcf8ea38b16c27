import { Command } from 'commander';
import { readSettings, type SettingOrigin } from '#config';
import { columns } from './columns';
import { paintTitle } from './paint';
import { terminalWidth } from './terminal-width';
import { wrapWords } from './wrap-words';

/**
 * If `width` (the width of a terminal in characters) is given, prints the meaning of each setting below the setting, in
 * lines that fit. Otherwise prints one line for each setting.
 */
export function configLines(origins: readonly SettingOrigin[], width?: number): string {
  if (width === undefined)
    return columns(origins.map(({ entry, shown, from }) => [entry.key, shown, from, entry.meaning]));
  return origins
    .map(({ entry, shown, from }) => {
      const meaning = wrapWords(entry.meaning, width - indentation.length);
      return `${paintTitle(entry.key)}  ${shown}  (${from})\n${meaning.map((line) => `${indentation}${line}\n`).join('')}`;
    })
    .join('');
}

const indentation = '    ';

export function configCommand(): Command {
  return new Command('config')
    .argument('[settings...]', 'the flags with which you would start the service')
    .option('--changed', 'only settings that differ from their defaults')
    .allowUnknownOption()
    .helpOption('-h, --help')
    .action((flags: string[], { changed }: { readonly changed?: true }) => {
      const { origins } = readSettings(flags);
      const chosen = changed ? origins.filter(({ from }) => from !== 'default') : origins;
      process.stdout.write(
        chosen.length === 0 ? 'all settings have their defaults\n' : configLines(chosen, terminalWidth()),
      );
    });
}
