import { ownVersion, type ReadSettings, readSettings } from '#config';
import { openLog } from '#observe';
import { explain } from './explain';
import { tuneGarbageCollection } from './garbage-collection';
import { helpText } from './help';
import { allComponents, isPart, type Components } from './components';
import { Service, type ServiceFacts } from './service';
import { startLines } from './start-lines';

const echoMs = 500;

interface Keeping extends ReadSettings {
  readonly components?: Components;
  readonly lines?: (facts: ServiceFacts) => string;
  /** Other work of this process. The work must end when `stopping` aborts. If the work fails, the service stops. */
  readonly beside?: (facts: ServiceFacts, stopping: AbortSignal) => Promise<void>;
}

export function runService(components: Components, flags: readonly string[] = process.argv.slice(2)): void {
  const infoFlag = flags.find((flag) => ['--help', '-h', '--version', '-V'].includes(flag));
  if (infoFlag !== undefined) {
    process.stdout.write(
      /^(--version|-V)$/.test(infoFlag) ? `${ownVersion()}\n` : helpText({ takesComponents: !isPart(components) }),
    );
    return;
  }
  const keep = async (): Promise<number> => keepService({ ...readSettings(flags), components });
  keep().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    },
  );
}

/**
 * Returns the exit code when everything is closed. A second signal ends the process at once. Rejects if the service
 * cannot start, or with the error of `beside`.
 */
export async function keepService({
  settings,
  origins,
  source,
  components = allComponents,
  lines,
  beside,
}: Keeping): Promise<number> {
  tuneGarbageCollection();
  const log = openLog({ level: settings.logLevel });
  const stopping = new AbortController();
  let signalledAt = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // One Ctrl-C can arrive twice, from the terminal and from the parent process (npm).
      if (stopping.signal.aborted && Date.now() - signalledAt < echoMs) return;
      if (stopping.signal.aborted) process.exit(130);
      signalledAt = Date.now();
      process.stdout.write(`nodeledger is stopping (${signal}); send it again to exit at once\n`);
      stopping.abort();
    });
  }
  let failed = false;
  let problem: { readonly error: unknown } | undefined;
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an error that nothing handles: stopping');
    failed = true;
    stopping.abort();
  });
  // By default, Node.js ends the process. But an error in one request must not end all other requests.
  process.on('unhandledRejection', (err) => log.error({ err }, 'an error that nothing handles'));
  const printLine = (line: string): void => void process.stdout.write(`${line}\n`);
  printLine(`nodeledger ${ownVersion()} is starting`);
  const service = await Service.start(settings, log, stopping.signal, components, printLine, { origins, source }).catch(
    (error: unknown) => {
      if (stopping.signal.aborted) return undefined;
      throw error;
    },
  );
  if (service !== undefined) {
    process.stdout.write(
      lines?.(service.facts) ?? startLines(settings, service.facts, isPart(components) ? components : undefined),
    );
    const work = beside?.(service.facts, stopping.signal).catch((error: unknown) => {
      if (stopping.signal.aborted) return;
      problem = { error };
      stopping.abort();
    });
    if ((await service.running(stopping.signal)) === 'database-ended') {
      log.fatal('PostgreSQL has ended unexpectedly: stopping; see postgres.log in the data directory');
      failed = true;
      stopping.abort();
    }
    await work;
    await service.stop();
  }
  process.stdout.write('nodeledger has stopped\n');
  if (problem !== undefined) throw problem.error;
  return failed ? 1 : 0;
}
