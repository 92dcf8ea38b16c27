import { Command } from 'commander';
import { startServer } from '../server/start-server';

/** `nodeledger start [--port 9090 …]` runs the service in this process. `--help` lists all settings. */
export function startCommand(): Command {
  return new Command('start')
    .argument('[settings...]', 'flags of the service, such as --port 9090')
    .allowUnknownOption()
    .helpOption(false)
    .action((flags: string[]) => startServer(flags));
}
