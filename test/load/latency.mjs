// Measures how long a server takes to acknowledge commands that arrive at an even rate.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_DIST, builtFleet, readArguments } from './support/arguments.mjs';
import { prepareCorpus, submitRun } from './support/corpus.mjs';
import { startOurs } from './support/sides.mjs';

const USAGE = `Usage: node test/load/latency.mjs (--url URL | --ours) [options]

  --rate N (100)     commands a second     --seconds N (30)   how long
  --nodes N (100)    machines; their first run is loaded before the clock starts
  --plain            send without compression (default: gzip)
  --connections N (32)   --seed TEXT (latency)   --dist DIR   the built project
`;

const flags = readArguments(USAGE, {
  url: { type: 'string' },
  ours: { type: 'boolean' },
  rate: { type: 'string', default: '100' },
  seconds: { type: 'string', default: '30' },
  nodes: { type: 'string', default: '100' },
  plain: { type: 'boolean' },
  connections: { type: 'string', default: '32' },
  seed: { type: 'string', default: 'latency' },
  dist: { type: 'string', default: DEFAULT_DIST },
});
if (!flags.ours && flags.url === undefined) throw new Error('no server is given, see --help');

const fleetLib = builtFleet(flags.dist);
const rate = Number(flags.rate);
const nodes = Number(flags.nodes);
const wanted = Math.ceil(rate * Number(flags.seconds));
const runs = Math.ceil(wanted / (3 * nodes));
const connections = Number(flags.connections);
const day = 86_400_000;
const startTime = new Date(Math.floor(Date.now() / day) * day - day);
const work = await mkdtemp(join(tmpdir(), 'fleet-latency-'));
let side;
try {
  const corpus = await prepareCorpus(fleetLib, {
    directory: join(work, 'corpus'),
    seed: flags.seed,
    nodes,
    firstRun: 0,
    runs: runs + 1,
    startTime,
    gzip: !flags.plain,
    layout: 'pretty',
  });
  side = flags.ours
    ? await startOurs({ dist: flags.dist, directory: join(work, 'ours') })
    : { url: flags.url, stop: async () => undefined };
  const link = new fleetLib.ServerLink({ url: side.url }, { connections });
  const [first, ...steady] = corpus;
  const loaded = await submitRun(link, first, 8);
  await fleetLib.untilVisible(
    link,
    flags.seed,
    { firstNode: 0, nodes, firstRun: 0, runs: 1, startTime, concurrency: 8 },
    loaded.accepted,
    {
      stallSeconds: 300,
    },
  );
  const measured = await evenly(
    link,
    steady.flatMap((prepared) => prepared.commands.map((command) => ({ prepared, command }))).slice(0, wanted),
  );
  print(measured);
  link.close();
  for (const prepared of corpus) await prepared.close();
} finally {
  await side?.stop();
  await rm(work, { recursive: true, force: true });
}

/**
 * Sends each command when its time has come, whether or not earlier ones have been answered. `service`: from sending to the answer;
 * `waited`: from the time at which it was due, so a stall of the server counts for every command that it held up.
 */
async function evenly(link, commands) {
  const service = [];
  const waited = [];
  let failures = 0;
  const began = performance.now() + 100;
  const open = [];
  for (let i = 0; i < commands.length; i++) {
    const { prepared, command } = commands[i];
    const body = await prepared.read(command);
    const due = began + (1000 * i) / rate;
    if (due > performance.now()) await sleep(due - performance.now());
    const sent = performance.now();
    open.push(
      link.submit({ path: command.path, headers: command.headers, body }).then(
        () => {
          service.push(performance.now() - sent);
          waited.push(performance.now() - due);
        },
        () => failures++,
      ),
    );
  }
  await Promise.all(open);
  return { service, waited, failures };
}

function print({ service, waited, failures }) {
  const line = (name, values) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (share) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN).toFixed(1);
    return `| ${name} | ${at(0.5)} | ${at(0.9)} | ${at(0.99)} | ${at(1)} |`;
  };
  process.stdout.write(
    `${service.length} commands at ${rate}/s, ${failures} failed\n\n| milliseconds | p50 | p90 | p99 | most |\n|---|---|---|---|---|\n` +
      `${line('from sending', service)}\n${line('from when it was due', waited)}\n`,
  );
}
