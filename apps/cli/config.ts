import { Command } from 'commander';
import { readSettings, type SettingOrigin } from '#config';
import { columns } from './columns';

/** Lines of `KEY  value  from  meaning`, in columns. */
export function configLines(origins: readonly SettingOrigin[]): string {
  return columns(origins.map(({ entry, shown, from }) => [entry.key, shown, from, entry.meaning]));
}

/** `nodeledger config [--port 9090 …]`: what a start with the same flags, environment and file would use. */
export function configCommand(): Command {
  return new Command('config')
    .description('print the current settings, and where each comes from')
    .argument('[settings...]', 'the flags that the service would be started with')
    .allowUnknownOption()
    .helpOption('-h, --help')
    .action((flags: string[]) => {
      process.stdout.write(configLines(readSettings(flags).origins));
    });
}
