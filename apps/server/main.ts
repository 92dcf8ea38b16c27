import 'reflect-metadata';
import { readSettings } from '#config';
import { openLog } from '#observe';
import { startLines } from './start-lines';
import { explain } from './explain';
import { Service } from './service';

const echoMs = 500;

/** Starts the service, keeps it until a signal comes, ends it. A second signal exits at once. */
async function main(): Promise<void> {
  const { settings } = readSettings();
  const log = openLog({ level: settings.logLevel });
  const stopping = new AbortController();
  let askedAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // One Ctrl-C can come twice: from the terminal, and passed on by what started us (npm).
      if (stopping.signal.aborted && Date.now() - askedAt < echoMs) return;
      if (stopping.signal.aborted) process.exit(130);
      askedAt = Date.now();
      process.stdout.write(`nodeledger is stopping (${signal}); once more to exit at once\n`);
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
  const service = await Service.start(settings, log, stopping.signal).catch((error: unknown) => {
    if (stopping.signal.aborted) return undefined;
    throw error;
  });
  if (service !== undefined) {
    process.stdout.write(startLines(settings, service));
    if ((await service.running(stopping.signal)) === 'database-ended') {
      log.fatal('PostgreSQL has ended by itself: stopping; postgres.log in the data directory says why');
      failed = true;
    }
    await service.stop();
  }
  process.stdout.write('nodeledger has stopped\n');
  process.exit(failed ? 1 : 0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
