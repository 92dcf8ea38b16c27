import { Command } from 'commander';
import { runMaintenance, withSettings } from '../maintenance/run-maintenance';
import { print } from '../print';
import { readLogStatus } from '#admin';
import { logTable } from './log-table';

export function statusCommand(): Command {
  return withSettings(new Command('status'))
    .description('show where the log is, its last offsets, how far the tables are, and the generations')
    .option('--json', 'print JSON, even on a terminal')
    .action(async (settings: string[], flags: { readonly json?: true }) => {
      const look = await runMaintenance(
        settings,
        { afterStop: 'Nothing was changed.', brokersAreTarget: true },
        ({ context, identity, logName }) => readLogStatus(context.db, context.log, identity, logName),
      );
      if (look !== undefined) print(look, flags, () => logTable(look));
    });
}
