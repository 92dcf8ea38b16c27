import { ownVersion, readSettings } from '#config';
import { openLog } from '#observe';
import { explain } from './explain';
import { helpText } from './help';
import { isPart, type Components } from './components';
import { Service } from './service';
import { startLines } from './start-lines';

const echoMs = 500;

/** Runs the service with these components until a signal comes or it cannot go on, then ends the process. */
export function runService(components: Components, flags: readonly string[] = process.argv.slice(2)): void {
  const asked = flags.find((flag) => ['--help', '-h', '--version', '-V'].includes(flag));
  if (asked !== undefined) {
    process.stdout.write(
      /^(--version|-V)$/.test(asked) ? `${ownVersion()}\n` : helpText({ takesComponents: !isPart(components) }),
    );
    return;
  }
  keep(components, flags).catch((error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  });
}

/** A second signal exits at once. */
async function keep(components: Components, flags: readonly string[]): Promise<void> {
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
  const tell = (line: string): void => void process.stdout.write(`${line}\n`);
  tell(`nodeledger ${ownVersion()} is starting`);
  const service = await Service.start(settings, log, stopping.signal, components, tell).catch((error: unknown) => {
    if (stopping.signal.aborted) return undefined;
    throw error;
  });
  if (service !== undefined) {
    process.stdout.write(startLines(settings, service, isPart(components) ? components : undefined));
    if ((await service.running(stopping.signal)) === 'database-ended') {
      log.fatal('PostgreSQL has ended unexpectedly: stopping; see postgres.log in the data directory');
      failed = true;
    }
    await service.stop();
  }
  process.stdout.write('nodeledger has stopped\n');
  process.exit(failed ? 1 : 0);
}
