import { Command } from 'commander';
import { copyCommand } from './log/copy';
import { statusCommand } from './log/status';

/** `nodeledger log status|copy` handles the log itself. */
export function logCommand(): Command {
  return new Command('log').addCommand(statusCommand()).addCommand(copyCommand());
}
