// Measures how fast and at what price a server takes a fleet in: the first load of all machines, then steady runs.
// One side after the other, from the same prepared bytes; the clock runs until queries show everything.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtFleet, readArguments } from './support/arguments.mjs';
import { prepareCorpus, submitRun } from './support/corpus.mjs';
import { ProcessWatch } from './support/processes.mjs';
import { SIDES_USAGE, sideOptions, sidesOf } from './support/sides.mjs';

const USAGE = `Usage: node test/load/compare.mjs (--ours | --reference | --url URL --pid PID)... [options]

${SIDES_USAGE}
Load:
  --nodes N (200)  --steady N (3)  --first-load-only  --concurrency N (8)  --seed TEXT (load)
  --plain                  send without compression (default: gzip)
  --compact                JSON without spaces
  --warm N (20)            before the clock, load N machines of another fleet twice, so that no side is measured cold
  --settle SECONDS (3)     count processor time for this time after everything is visible
  --stall SECONDS (300)    give up when nothing has become visible for this time
  --json FILE              write the figures there, too
`;

const flags = readArguments(USAGE, {
  ...sideOptions,
  nodes: { type: 'string', default: '200' },
  steady: { type: 'string', default: '3' },
  'first-load-only': { type: 'boolean' },
  concurrency: { type: 'string', default: '8' },
  seed: { type: 'string', default: 'load' },
  plain: { type: 'boolean' },
  compact: { type: 'boolean' },
  warm: { type: 'string', default: '20' },
  settle: { type: 'string', default: '3' },
  stall: { type: 'string', default: '300' },
  json: { type: 'string' },
});

const work = await mkdtemp(join(tmpdir(), 'fleet-compare-'));
const sides = sidesOf(flags, work);

const fleetLib = builtFleet(flags.dist);
const nodes = Number(flags.nodes);
const concurrency = Number(flags.concurrency);
const day = 86_400_000;
const startTime = new Date(Math.floor(Date.now() / day) * day - day);
const figures = [];
try {
  const runs = flags['first-load-only'] ? 1 : 1 + Number(flags.steady);
  const prepare = (seed, machines, runsOfThem) =>
    prepareCorpus(fleetLib, {
      directory: join(work, seed),
      seed,
      nodes: machines,
      firstRun: 0,
      runs: runsOfThem,
      startTime,
      gzip: !flags.plain,
      layout: flags.compact ? 'compact' : 'pretty',
    });
  const warmSeed = `${flags.seed}-warm`;
  const warmCorpus = await prepare(warmSeed, Number(flags.warm), flags.warm === '0' ? 0 : 2);
  const corpus = await prepare(flags.seed, nodes, runs);
  for (const { run, bytes } of corpus)
    say(`run ${run}: ${(bytes / 1e6).toFixed(1)} MB ${flags.plain ? 'plain' : 'gzip'} prepared`);
  for (const start of sides) {
    const side = await start();
    try {
      await warmUp(side, warmSeed, warmCorpus);
      await measure(side, corpus);
    } finally {
      await side.stop();
    }
  }
  for (const prepared of [...warmCorpus, ...corpus]) await prepared.close();
} finally {
  await rm(work, { recursive: true, force: true });
}
printTable();
if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(figures, null, 2)}\n`);

async function warmUp(side, seed, corpus) {
  const link = new fleetLib.ServerLink({ url: side.url }, { connections: concurrency });
  for (const prepared of corpus) {
    const sent = await submitRun(link, prepared, concurrency);
    const plan = { firstNode: 0, nodes: Number(flags.warm), firstRun: prepared.run, runs: 1, startTime, concurrency };
    await fleetLib.untilVisible(link, seed, plan, sent.accepted, { stallSeconds: Number(flags.stall) });
  }
  link.close();
}

async function measure(side, corpus) {
  const watch = new ProcessWatch({ roots: side.roots, database: side.database });
  const link = new fleetLib.ServerLink({ url: side.url }, { connections: concurrency });
  const totals = [];
  for (const prepared of corpus) {
    const plan = { firstNode: 0, nodes, firstRun: prepared.run, runs: 1, startTime, concurrency };
    watch.begin();
    const began = performance.now();
    const sent = await submitRun(link, prepared, concurrency);
    const acceptedAfter = seconds(began);
    await fleetLib.untilVisible(link, flags.seed, plan, sent.accepted, { stallSeconds: Number(flags.stall) });
    const visibleAfter = seconds(began);
    await sleep(1000 * Number(flags.settle));
    const used = watch.end();
    const commands = prepared.commands.length - sent.failures;
    if (sent.failures > 0) say(`${side.name}: ${sent.failures} commands failed, first: ${sent.firstFailure}`);
    const figure = {
      side: side.name,
      phase: prepared.run === 0 ? 'first load' : `steady ${prepared.run}`,
      commands,
      failures: sent.failures,
      acceptedAfter,
      visibleAfter,
      ...used,
    };
    figures.push(figure);
    if (prepared.run > 0) totals.push(figure);
    say(`${side.name} ${figure.phase}: ${(commands / visibleAfter).toFixed(1)} commands/s`);
  }
  if (totals.length > 1) figures.push(combined(side.name, totals));
  watch.stop();
  link.close();
}

/** All steady runs as one measurement. */
function combined(side, parts) {
  const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
  const most = (name) => Math.max(...parts.map((part) => part[name]));
  return {
    side,
    phase: 'steady, all',
    commands: sum('commands'),
    failures: sum('failures'),
    acceptedAfter: sum('acceptedAfter'),
    visibleAfter: sum('visibleAfter'),
    serviceMs: sum('serviceMs'),
    postgresMs: sum('postgresMs'),
    serviceBytes: most('serviceBytes'),
    postgresBytes: most('postgresBytes'),
  };
}

function printTable() {
  const columns = [
    ['side', (one) => one.side],
    ['phase', (one) => one.phase],
    ['commands', (one) => one.commands],
    ['accepted s', (one) => one.acceptedAfter.toFixed(2)],
    ['visible s', (one) => one.visibleAfter.toFixed(2)],
    ['commands/s', (one) => (one.commands / one.visibleAfter).toFixed(1)],
    ['service ms/cmd', (one) => (one.serviceMs / one.commands).toFixed(2)],
    ['postgres ms/cmd', (one) => (one.postgresMs / one.commands).toFixed(2)],
    ['all ms/cmd', (one) => ((one.serviceMs + one.postgresMs) / one.commands).toFixed(2)],
    ['service MB', (one) => (one.serviceBytes / 1e6).toFixed(0)],
    ['postgres MB', (one) => (one.postgresBytes / 1e6).toFixed(0)],
  ];
  say(`\n| ${columns.map(([title]) => title).join(' | ')} |\n|${columns.map(() => '---|').join('')}`);
  for (const one of figures) say(`| ${columns.map(([, value]) => value(one)).join(' | ')} |`);
  say(
    '\ncommands/s: until queries show them. ms/cmd: processor time of the service with its children and of the PostgreSQL processes that serve it' +
      ' (with --database or the reference also the checkpointer and the other shared ones of that cluster).\n' +
      'service MB: highest resident memory; postgres MB: highest proportional memory. The load generator is not counted; it competes for the same processors.',
  );
}

function seconds(since) {
  return (performance.now() - since) / 1000;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
