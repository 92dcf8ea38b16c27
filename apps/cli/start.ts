import { Command } from 'commander';
import { startServer } from '../server/start-server';

/** The service itself parses the flags, also `--help`. */
export function startCommand(): Command {
  return new Command('start')
    .argument('[settings...]', 'flags of the service, such as --port 9090')
    .allowUnknownOption()
    .helpOption(false)
    .action((flags: string[]) => startServer(flags));
}
