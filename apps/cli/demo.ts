import { devNull } from 'node:os';
import { basename, sep } from 'node:path';
import { Command, Option } from 'commander';
import { dialects, ownVersion, readSettings, type Settings } from '#config';
import { isFault } from '#fault';
import { checkPorts } from '../server/check-ports';
import { keepService } from '../server/run-service';
import type { Service } from '../server/service';
import { countBetween } from './arguments';
import { DemoDirectory, removeLeftDemos } from './demo/demo-directory';
import { DemoFleet } from './demo/demo-fleet';
import { answeredQuestions } from './demo/questions';
import { say } from './fleet/progress';
import { ownServiceUrl } from './service-url';

/** More would take minutes to load. */
const mostNodes = 500;

interface DemoFlags {
  readonly nodes: number;
  readonly port?: number;
  readonly data?: string;
  readonly dialect: string;
}

/** `nodeledger demo`: a service of its own with a simulated fleet, until Ctrl-C. It reads no settings but its flags. */
export function demoCommand(): Command {
  return new Command('demo')
    .description('start a service with a simulated fleet, to try queries; Ctrl-C removes it')
    .option('--nodes <count>', `number of simulated nodes, at most ${mostNodes}`, countBetween(1, mostNodes), 50)
    .option(
      '--port <number>',
      'port of 127.0.0.1; default: 8080, or a free one if it is in use',
      countBetween(0, 65_535),
    )
    .option('--data <directory>', 'keep the data in this directory; default: a temporary one, removed at the end')
    .addOption(
      new Option('--dialect <name>', 'names in answers; puppetdb for dashboards').choices(dialects).default('neutral'),
    )
    .action(async (flags: DemoFlags) => {
      say('The demo starts a service of its own, with simulated nodes. Ctrl-C stops it.');
      // The service ends with the process, as `nodeledger start` does: connections and watches may be left.
      process.exit(await runDemo(flags));
    });
}

async function runDemo(flags: DemoFlags): Promise<number> {
  for (const left of await removeLeftDemos()) say(`removed ${left}, which a killed demo had left`);
  const settings = await demoSettings(flags);
  const directory =
    flags.data === undefined
      ? await DemoDirectory.temporary(flags.nodes)
      : await DemoDirectory.named(flags.data, flags.nodes);
  try {
    return await keepService({
      settings: { ...settings, dataDir: directory.path },
      lines: ({ url }) => `nodeledger ${ownVersion()} listens on ${url}\n`,
      beside: (service, stopping) => playFleet(service, directory, stopping),
    });
  } finally {
    await directory.close();
    say(directory.isKept ? `the data are kept in ${directory.path}` : `removed ${directory.path}`);
  }
}

/**
 * Settings of the demo alone: those of the environment and of nodeledger.yaml are for a service with real data. Faults as in
 * `checkPorts`, before anything is created.
 */
async function demoSettings({ port, dialect }: DemoFlags): Promise<Readonly<Settings>> {
  const read = (chosen: number): Readonly<Settings> =>
    readSettings(['--config', devNull, '--log-level', 'warn', '--dialect', dialect, '--port', String(chosen)], {})
      .settings;
  const usual = read(port ?? 8080);
  try {
    await checkPorts([usual], usual);
    return usual;
  } catch (error) {
    if (port !== undefined || !isFault(error) || error.code !== 'server.port-in-use') throw error;
    say('port 8080 is in use: taking a free one');
    return read(0);
  }
}

async function playFleet({ url }: Service, directory: DemoDirectory, stopping: AbortSignal): Promise<void> {
  const fleet = new DemoFleet(url, directory.nodes, directory.created);
  try {
    if (directory.isLoaded)
      say(`${directory.path} has the ${directory.nodes} nodes of an earlier demo: going on with them`);
    else {
      say(`submitting some runs of ${directory.nodes} nodes in the last two days`);
      await fleet.submitHistory(stopping);
      await directory.loaded();
    }
    await showQuestions(url, stopping);
    await fleet.submitLive(stopping, say);
  } finally {
    fleet.close();
  }
}

async function showQuestions(url: string, stopping: AbortSignal): Promise<void> {
  const flags = ownServiceUrl() === url ? [] : ['--url', url];
  say('\nCommands to run in another terminal, with their answers at this moment:');
  for await (const text of answeredQuestions(url, { program: ownProgram(), flags })) {
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

/** How this program is called: from a clone, from a folder that it is installed in, or as a command. */
function ownProgram(): string {
  const called = process.argv[1] ?? '';
  if (basename(called) === 'main.js') return 'npm run --silent nodeledger --';
  return called.includes(`node_modules${sep}.bin`) ? 'npx nodeledger' : 'nodeledger';
}
