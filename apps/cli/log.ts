import { Command } from 'commander';
import { copyCommand } from './log/copy';
import { statusCommand } from './log/status';

/** `nodeledger log status|copy`: the log itself. */
export function logCommand(): Command {
  return new Command('log')
    .description('tell how the log stands, or copy it to Kafka')
    .addCommand(statusCommand())
    .addCommand(copyCommand());
}
