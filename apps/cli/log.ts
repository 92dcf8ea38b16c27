import { Command } from 'commander';
import { copyCommand } from './log/copy';
import { statusCommand } from './log/status';

/** `nodeledger log status|copy`: the log itself. */
export function logCommand(): Command {
  return new Command('log')
    .description('show the state of the log, or copy it to Kafka')
    .addCommand(statusCommand())
    .addCommand(copyCommand());
}
