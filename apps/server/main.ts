import 'reflect-metadata';
import { readSettings } from '#config';
import { openLog } from '#observe';
import { startLines } from './start-lines';
import { explain } from './explain';
import { Service } from './service';

/** Starts the service, keeps it until a signal comes, ends it. A second signal exits at once. */
async function main(): Promise<void> {
  const { settings } = readSettings();
  const log = openLog({ level: settings.logLevel });
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(130);
      process.stdout.write(`nodeledger is stopping (${signal}); once more to exit at once\n`);
      stopping.abort();
    });
  }
  let failed = false;
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (err: unknown) => {
      log.fatal({ err }, 'an error that nothing handles: stopping');
      failed = true;
      stopping.abort();
    });
  }
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
