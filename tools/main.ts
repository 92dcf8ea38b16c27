import '#check-node';
import { Command } from 'commander';
import { isFault } from '#fault';
import { demoCommand } from './demo';
import { fleetCommand } from './submit-fleet';

/** The npm package does not contain these programs. */
new Command('tools')
  .addCommand(demoCommand())
  .addCommand(fleetCommand())
  .parseAsync()
  .catch((error: unknown) => {
    const lines = isFault(error)
      ? [error.message, error.hint]
      : [error instanceof Error ? error.message : String(error)];
    process.stderr.write(`${lines.filter(Boolean).join('\n')}\n`);
    process.exitCode = 1;
  });
