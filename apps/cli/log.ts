import { Command } from 'commander';
import { copyCommand } from './log/copy';
import { statusCommand } from './log/status';

export function logCommand(): Command {
  return new Command('log').addCommand(statusCommand()).addCommand(copyCommand());
}
