import { Command } from 'commander';
import { startServer } from '../server/start-server';

/** `nodeledger start [--port 9090 …]`: runs the service in this process. `--help` is that of the service, with all settings. */
export function startCommand(): Command {
  return new Command('start')
    .description('start the service, and run it until it gets SIGINT or SIGTERM')
    .argument('[settings...]', 'flags of the service, such as --port 9090')
    .allowUnknownOption()
    .helpOption(false)
    .action((flags: string[]) => startServer(flags));
}
