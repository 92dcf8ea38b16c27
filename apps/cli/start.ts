import { Command } from 'commander';
import { startServer } from '../server/start-server';

/**
 * `nodeledger start [--port 9090 …]` runs the service in this process. The service itself parses the flags, `--help`
 * included.
 */
export function startCommand(): Command {
  return new Command('start')
    .argument('[settings...]', 'flags of the service, such as --port 9090')
    .allowUnknownOption()
    .helpOption(false)
    .action((flags: string[]) => startServer(flags));
}
