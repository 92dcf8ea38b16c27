import { readSettings } from '#config';
import { openLog } from '#observe';
import { explain } from './explain';
import { isPart, type Roles } from './roles';
import { Service } from './service';
import { startLines } from './start-lines';

const echoMs = 500;

const help = `Starts nodeledger and runs it until it gets SIGINT or SIGTERM.

  --config FILE    settings from a YAML file; without it from nodeledger.yaml in the working directory, if there
  --SETTING VALUE  any setting of docs/settings.md, such as --port 9090 for NODELEDGER_PORT

Settings are also read from environment variables. "nodeledger config" prints the current settings and where each
comes from. "nodeledger --help" lists what else can be done.
`;

/** Runs the service with these roles until a signal comes or it cannot go on, then ends the process. */
export function runService(roles: Roles, flags: readonly string[] = process.argv.slice(2)): void {
  if (flags.some((flag) => flag === '--help' || flag === '-h')) {
    process.stdout.write(help);
    return;
  }
  keep(roles, flags).catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}

/** A second signal exits at once. */
async function keep(roles: Roles, flags: readonly string[]): Promise<void> {
  const { settings } = readSettings(flags);
  const log = openLog({ level: settings.logLevel });
  const stopping = new AbortController();
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // One Ctrl-C can come twice: from the terminal, and passed on by what started us (npm).
      if (stopping.signal.aborted && Date.now() - askedAt < echoMs) return;
      if (stopping.signal.aborted) process.exit(130);
      askedAt = Date.now();
      process.stdout.write(`nodeledger is stopping (${signal}); send it again to exit at once\n`);
      stopping.abort();
    });
  }
  let failed = false;
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an error that nothing handles: stopping');
    failed = true;
    stopping.abort();
  });
  // One request's promise that nobody waits for: no reason to end all others.
  process.on('unhandledRejection', (err) => log.error({ err }, 'an error that nothing handles'));
  const service = await Service.start(settings, log, stopping.signal, roles).catch((error: unknown) => {
    if (stopping.signal.aborted) return undefined;
    throw error;
  });
  if (service !== undefined) {
    process.stdout.write(startLines(settings, service, isPart(roles) ? roles : undefined));
    if ((await service.running(stopping.signal)) === 'database-ended') {
      log.fatal('PostgreSQL has ended unexpectedly: stopping; see postgres.log in the data directory');
      failed = true;
    }
    await service.stop();
  }
  process.stdout.write('nodeledger has stopped\n');
  process.exit(failed ? 1 : 0);
}
