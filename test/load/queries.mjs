// Measures 37 queries that dashboards and operators ask, on one or more servers that have the same fleet.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorQueries, pathOf } from './queries/operator-queries.mjs';
import { builtFleet, readArguments } from './support/arguments.mjs';
import { prepareCorpus, submitRun } from './support/corpus.mjs';
import { ProcessWatch } from './support/processes.mjs';
import { SIDES_USAGE, sideOptions, sidesOf } from './support/sides.mjs';

const USAGE = `Usage: node test/load/queries.mjs (--ours | --reference | --url URL --pid PID)... [options]

Loads the same simulated fleet into each side, then asks each query, one at a time over one connection, and prints how long
the whole answer took, and the processor time of the service and its PostgreSQL.

${SIDES_USAGE}
  --nodes N (200)  --runs N (3)  --seed TEXT (queries)
  --loaded                 the sides have the fleet already (of the same seed and the same day)
  --rounds N (20)          how often each query is measured, after three that are not
  --only TEXT              queries whose name contains the text
  --settle SECONDS (15)    how long to wait between loading and asking
  --json FILE              write the figures there, too
`;

const flags = readArguments(USAGE, {
  ...sideOptions,
  nodes: { type: 'string', default: '200' },
  runs: { type: 'string', default: '3' },
  seed: { type: 'string', default: 'queries' },
  loaded: { type: 'boolean' },
  rounds: { type: 'string', default: '20' },
  only: { type: 'string', default: '' },
  settle: { type: 'string', default: '15' },
  json: { type: 'string' },
});
const warmRounds = 3;
const concurrency = 8;
const day = 86_400_000;
const startTime = new Date(Math.floor(Date.now() / day) * day - day);
const nodes = Number(flags.nodes);
const say = (line) => void process.stdout.write(`${line}\n`);

const work = await mkdtemp(join(tmpdir(), 'fleet-queries-'));
const fleetLib = builtFleet(flags.dist);
const figures = [];
const started = [];
try {
  const starts = sidesOf(flags, work);
  const corpus = flags.loaded ? [] : await prepared();
  for (const start of starts) {
    const side = await start();
    started.push(side);
    for (const run of corpus) await load(side, run);
  }
  for (const run of corpus) await run.close();
  if (!flags.loaded) await sleep(1000 * Number(flags.settle));
  for (const side of started) {
    side.agent = new Agent({ keepAlive: true, maxSockets: 1 });
    side.watch = new ProcessWatch({ roots: side.roots, database: side.database });
  }
  const queries = operatorQueries(await namesInFleet(started[0])).filter(({ name }) => name.includes(flags.only));
  for (const [index, query] of queries.entries()) {
    // Neither side is always the first.
    const order = index % 2 === 0 ? started : started.toReversed();
    const measured = new Map();
    for (const side of order) measured.set(side, await measure(side, pathOf(query)));
    figures.push({
      query: query.name,
      sides: started.map((side) => ({ side: side.name, ...measured.get(side) })),
    });
  }
} finally {
  for (const side of started) {
    side.watch?.stop();
    side.agent?.destroy();
    await side.stop();
  }
  await rm(work, { recursive: true, force: true });
}
printTable();
if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(figures, null, 2)}\n`);

function prepared() {
  const directory = join(work, 'documents');
  const { seed } = flags;
  const runs = Number(flags.runs);
  return prepareCorpus(fleetLib, {
    ...{ directory, seed, nodes, firstRun: 0, runs, startTime },
    ...{ gzip: true, layout: 'pretty' },
  });
}

async function load(side, run) {
  const link = new fleetLib.ServerLink({ url: side.url }, { connections: concurrency });
  const began = performance.now();
  const sent = await submitRun(link, run, concurrency);
  if (sent.failures > 0) throw new Error(`${side.name}: ${sent.failures} commands failed, first: ${sent.firstFailure}`);
  const plan = { firstNode: 0, nodes, firstRun: run.run, runs: 1, startTime, concurrency };
  await fleetLib.untilVisible(link, flags.seed, plan, sent.accepted, { stallSeconds: 300 });
  say(`${side.name}: run ${run.run} loaded in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  link.close();
}

/** What the queries name, as the first side has it. */
async function namesInFleet(side) {
  const fleet = new fleetLib.Fleet(flags.seed, 'compact');
  const { certname } = fleet.node(Math.floor(nodes / 2));
  const query = `reports[hash, end_time] { status = "changed" order by end_time desc limit 1 }`;
  const answer = await fetch(`${side.url}${pathOf({ pql: query })}`);
  const [report] = await answer.json();
  if (report === undefined) throw new Error('the fleet has no report with changes');
  const end = Date.parse(report.end_time);
  const since = new Date(end - 3_600_000).toISOString();
  const until = new Date(end + 3_600_000).toISOString();
  return { certname, report: report.hash, since, until };
}

async function measure(side, path) {
  const url = new URL(path, side.url);
  for (let round = 0; round < warmRounds; round++) await ask(side, url);
  const times = [];
  let text;
  side.watch.begin();
  for (let round = 0; round < Number(flags.rounds); round++) {
    const began = performance.now();
    text = await ask(side, url);
    times.push(performance.now() - began);
  }
  const { serviceMs, postgresMs } = side.watch.end();
  times.sort((a, b) => a - b);
  const rows = JSON.parse(text);
  return {
    p50: times[Math.floor(times.length / 2)],
    p95: times[Math.floor(times.length * 0.95)],
    processor: (serviceMs + postgresMs) / times.length,
    bytes: Buffer.byteLength(text),
    rows: Array.isArray(rows) ? rows.length : 1,
  };
}

function ask({ agent }, url) {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: { accept: 'application/json' } }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${url} was answered ${answer.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    asked.once('error', reject);
    asked.end();
  });
}

function printTable() {
  const [first] = figures;
  if (first === undefined) return;
  const names = first.sides.map(({ side }) => side);
  const columns = names.flatMap((name) => [`${name} p50 ms`, 'p95', 'processor ms']);
  const compared = names.length === 2;
  say(`\n| query | rows | kB | ${columns.join(' | ')} |${compared ? ' p50, ratio |' : ''}`);
  say(`|---|${'---|'.repeat(2 + columns.length + (compared ? 1 : 0))}`);
  for (const { query, sides } of figures) {
    const cells = sides.flatMap(({ p50, p95, processor }) => [p50, p95, processor]).map((value) => value.toFixed(1));
    const ratio = compared ? ` ${ratioOf(sides).toFixed(1)} |` : '';
    const rows =
      new Set(sides.map((side) => side.rows)).size === 1 ? sides[0].rows : sides.map((side) => side.rows).join(' ≠ ');
    say(`| ${query} | ${rows} | ${(sides[0].bytes / 1000).toFixed(1)} | ${cells.join(' | ')} |${ratio}`);
  }
  if (compared) {
    const ratios = figures.map(({ sides }) => ratioOf(sides));
    const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
    say(
      `\nratio: ${names[1]} divided by ${names[0]}; geometric mean ${mean.toFixed(2)}, least ${Math.min(...ratios).toFixed(2)}`,
    );
  }
}

function ratioOf([first, second]) {
  return second.p50 / first.p50;
}
