import { devNull } from 'node:os';
import { Command, Option } from 'commander';
import { ownVersion, readSettings } from '#config';
import { EmbeddedPostgres } from '#database';
import { isFault } from '#fault';
import { checkPorts } from '../apps/server/check-ports';
import { keepService } from '../apps/server/run-service';
import type { ServiceFacts } from '../apps/server/service';
import { countBetween } from '../apps/cli/arguments';
import { createDemoDirectory, removeLeftDemos } from './demo/demo-directory';
import { DemoFleet } from './demo/demo-fleet';
import { answeredQuestions } from './demo/questions';
import { say } from './submit-fleet/say';
import { ownServiceUrl } from '../apps/cli/service-url';

/** More nodes would take minutes to load. */
const mostNodes = 500;

interface DemoFlags {
  readonly nodes: number;
  readonly port?: number;
  readonly dialect: string;
}

export function demoCommand(): Command {
  return new Command('demo')
    .description('start a service with a simulated fleet, to try queries; Ctrl-C removes it')
    .option('--nodes <count>', `number of simulated nodes, at most ${mostNodes}`, countBetween(1, mostNodes), 50)
    .option(
      '--port <number>',
      'port of 127.0.0.1; default: 8080, or a free one if it is in use',
      countBetween(0, 65_535),
    )
    .addOption(
      new Option('--dialect <name>', 'names in answers; puppetdb for dashboards')
        .choices(['neutral', 'puppetdb'])
        .default('neutral'),
    )
    .action(async (flags: DemoFlags) => {
      say('The demo starts its own service, with simulated nodes. Ctrl-C stops it.');
      // `process.exit` is necessary, because the service can leave connections and timers open.
      process.exit(await runDemo(flags));
    });
}

async function runDemo(flags: DemoFlags): Promise<number> {
  for (const left of await removeLeftDemos()) say(`removed ${left}, which a killed demo had left`);
  const chosen = await demoFlags(flags);
  const dataDir = await createDemoDirectory();
  try {
    return await keepService({
      ...readSettings([...chosen, '--data-dir', dataDir], {}),
      lines: ({ url }) => `nodeledger ${ownVersion()} listens on ${url}\n`,
      beside: (facts, stopping) => playFleet(facts, { dataDir, nodes: flags.nodes }, stopping),
    });
  } finally {
    await EmbeddedPostgres.discard(dataDir);
    say(`removed ${dataDir}`);
  }
}

/**
 * Ignores the environment and nodeledger.yaml, because they configure a service with real data. Throws the faults of
 * `checkPorts` before anything is created.
 */
async function demoFlags({ port, dialect }: DemoFlags): Promise<string[]> {
  const withPort = (chosen: number): string[] => [
    '--config',
    devNull,
    '--log-level',
    'warn',
    '--dialect',
    dialect,
    '--port',
    String(chosen),
  ];
  const usual = withPort(port ?? 8080);
  const { settings } = readSettings(usual, {});
  try {
    await checkPorts([settings], settings);
    return usual;
  } catch (error) {
    if (port !== undefined || !isFault(error) || error.code !== 'server.port-in-use') throw error;
    say('port 8080 is in use: taking a free one');
    return withPort(0);
  }
}

async function playFleet(
  { url }: ServiceFacts,
  { dataDir, nodes }: { readonly dataDir: string; readonly nodes: number },
  stopping: AbortSignal,
): Promise<void> {
  const fleet = new DemoFleet(url, nodes);
  try {
    say(`writing some runs of ${nodes} nodes in the last two days`);
    await fleet.writeHistory(dataDir, stopping);
    await showQuestions(url, stopping);
    await fleet.submitLive(stopping, say);
  } finally {
    fleet.close();
  }
}

async function showQuestions(url: string, stopping: AbortSignal): Promise<void> {
  const flags = ownServiceUrl() === url ? [] : ['--url', url];
  say('\nCommands to run in another terminal, with their answers at this moment:');
  for await (const text of answeredQuestions(url, { program: 'npm run --silent nodeledger --', flags })) {
    stopping.throwIfAborted();
    process.stdout.write(text);
  }
  say(`
query    ${url}/pdb/query/v4 (docs/query-guide.md has more questions)
api      ${url}/docs/api (in a browser)
status   ${url}/status/v1/services
metrics  ${url}/metrics
A dashboard can show the demo, too: start it with --dialect puppetdb, and see docs/connect-a-dashboard.md.

The nodes go on reporting, one every few seconds. Ctrl-C stops everything.`);
}
