// The main benchmark: submits a fleet or a folder of documents to one or more servers, one after the other, and writes
// a report.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureSide } from './bench/measure-side.mjs';
import { prepare } from './bench/prepare.mjs';
import { writeReport } from './bench/report.mjs';
import { builtFleet, readArguments } from './support/arguments.mjs';
import { SIDES_USAGE, sideOptions, sidesOf } from './support/sides.mjs';

const PARTS = ['copy', 'disk', 'queries', 'sql', 'latency', 'appends'];

const USAGE = `Usage: npm run bench -- (--ours | --reference | --url URL)... [options]

Measures each side at each size, one after the other, from the same bytes: first load, steady runs, disk, the 37 queries,
latencies. Writes a JSON file for each side and size, then report.md, report.json and report.svg.

${SIDES_USAGE}
What is measured:
  --out DIR                keep the files there. A side and size whose file exists is not measured again. Default: print only
  --report-only            write the report from the files of DIR, measure nothing
  --nodes N,N (200)        sizes of the simulated fleet; --seed TEXT (load) chooses the fleet
  --documents DIR          the documents of DIR instead: facts/, catalogs/, reports/ with *.json or *.json.gz each
  --parts NAME,NAME        beside the load: ${PARTS.join(',')} (all)
  --loaded                 the servers of --url have their documents already: no load, no latencies

Load:
  --steady N (3)           runs after the first load     --steady-nodes N   only so many nodes send them
  --concurrency N (8)      requests at a time            --warm N (20)      nodes of a fleet that is loaded before the clock
  --plain                  without compression           --compact          JSON without spaces
  --settle SECONDS (3)     count processor time for this time after everything is visible
  --stall SECONDS (300)    give up when nothing has become visible for this time
  --keep-documents         leave the prepared documents in DIR when a size is finished

Queries:
  --rounds N (20)  --query-seconds N (10, for each query)  --query-settle SECONDS (10, before the first)  --only TEXT
Latencies, of a fleet of their own:
  --rate N (100 commands/s)  --seconds N (20)  --latency-nodes N (100)  --samples N (50 reports, until each is visible)
`;

const flags = readArguments(USAGE, {
  ...sideOptions,
  out: { type: 'string' },
  'report-only': { type: 'boolean' },
  nodes: { type: 'string' },
  seed: { type: 'string', default: 'load' },
  documents: { type: 'string' },
  parts: { type: 'string', default: PARTS.join(',') },
  loaded: { type: 'boolean' },
  steady: { type: 'string', default: '3' },
  'steady-nodes': { type: 'string' },
  concurrency: { type: 'string', default: '8' },
  warm: { type: 'string', default: '20' },
  plain: { type: 'boolean' },
  compact: { type: 'boolean' },
  settle: { type: 'string', default: '3' },
  stall: { type: 'string', default: '300' },
  'keep-documents': { type: 'boolean' },
  rounds: { type: 'string', default: '20' },
  'query-seconds': { type: 'string', default: '10' },
  'query-settle': { type: 'string', default: '10' },
  only: { type: 'string', default: '' },
  rate: { type: 'string', default: '100' },
  seconds: { type: 'string', default: '20' },
  'latency-nodes': { type: 'string', default: '100' },
  samples: { type: 'string', default: '50' },
});
const say = (line) => void process.stderr.write(`${line}\n`);
/** The usage, for wrong arguments. */
function refuse(message) {
  say(`bench: ${message}; see --help`);
  process.exit(2);
}
const number = (name, least) => {
  const value = Number(flags[name]);
  return value >= least ? value : refuse(`--${name} takes a number, ${least} or more`);
};
const parts = flags.parts.split(',').filter(Boolean);
const unknown = parts.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) refuse(`--parts takes ${PARTS.join(',')}, not ${unknown.join()}`);

const sides = flags['report-only'] ? [] : chosenSides();
if (flags['report-only'] ? flags.out === undefined : sides.length === 0)
  refuse(flags['report-only'] ? '--report-only needs --out' : 'no side is given');
if (flags.loaded && sides.some(({ kind }) => kind !== 'url')) refuse('--loaded goes with --url alone');
const sizes = sizesOf(flags);

const out = flags.out ?? (await mkdtemp(join(tmpdir(), 'nodeledger-bench-')));
await mkdir(out, { recursive: true });
let running;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    const ended = running === undefined ? Promise.resolve() : running();
    void ended.finally(() => process.exit(130));
  });
try {
  if (!flags['report-only']) await measure();
  const markdown = await writeReport(out);
  if (flags.out === undefined || process.stdout.isTTY) process.stdout.write(markdown);
  if (flags.out !== undefined) say(`the report is in ${join(out, 'report.md')}`);
} finally {
  if (flags.out === undefined) await rm(out, { recursive: true, force: true });
}

async function measure() {
  const fleetLib = builtFleet(flags.dist);
  for (const size of sizes) {
    const missing = sides.filter((side) => !existsSync(fileOf(side, size)));
    for (const side of sides.filter((one) => !missing.includes(one)))
      say(`${side.name}, ${size.label}: ${fileOf(side, size)} is there, it is not measured again`);
    if (missing.length === 0) continue;
    let prepared;
    try {
      if (!flags.loaded) prepared = await prepare(fleetLib, { out, size, options: loadOptions(), say });
    } catch (error) {
      broke(size.label, error);
      continue;
    }
    let finished = true;
    for (const side of missing) finished = (await measureOne(fleetLib, side, size, prepared)) && finished;
    await prepared?.close();
    if (finished && !flags['keep-documents']) await prepared?.remove();
  }
  if (parts.includes('appends') && process.exitCode === undefined && sides.some(({ kind }) => kind === 'ours'))
    await measureAppends();
}

/** False if it failed; the next start in the same folder measures it again. */
async function measureOne(fleetLib, side, size, prepared) {
  // PostgreSQL may run as another user, who needs access.
  const work = await mkdtemp(join(tmpdir(), 'nodeledger-bench-side-'));
  await chmod(work, 0o711);
  let onStart;
  const started = new Promise((resolve) => (onStart = resolve));
  running = async () => {
    const stop = await started;
    await stop?.();
    await rm(work, { recursive: true, force: true });
  };
  try {
    const options = { ...measureOptions(), directory: join(work, side.name), size, onStart };
    await writeWhole(fileOf(side, size), await measureSide(fleetLib, side, prepared, options));
    return true;
  } catch (error) {
    broke(`${side.name}, ${size.label}`, error);
    return false;
  } finally {
    onStart(undefined);
    running = undefined;
    await rm(work, { recursive: true, force: true });
  }
}

function broke(what, error) {
  say(`${what}: ${[error.message, error.cause?.message].filter(Boolean).join(': ')}`);
  process.exitCode = 1;
}

/** The floors of the log: a plain INSERT, a plain COPY, and the produce requests of the broker if there is one. */
async function measureAppends() {
  const file = join(out, 'appends.json');
  if (existsSync(file)) return;
  const script = join(import.meta.dirname, 'log-throughput.mjs');
  const sized = ['--nodes', '20', '--runs', '4', '--seconds', '2', '--patience', '0'];
  const args = [script, '--part', 'append', ...sized, '--json', '--dist', flags.dist];
  say('appends: INSERT, COPY, the log');
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  try {
    await writeWhole(file, JSON.parse(text));
  } catch (error) {
    broke('appends', error);
  }
}

async function writeWhole(file, content) {
  await writeFile(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`);
  await rename(`${file}.part`, file);
}

function fileOf(side, size) {
  return join(out, `${side.name}-${size.label}.json`);
}

function chosenSides() {
  try {
    return sidesOf(flags);
  } catch (error) {
    return refuse(error.message);
  }
}

function sizesOf({ nodes, documents, loaded }) {
  if (loaded) return [{ label: 'loaded', loaded }];
  const sizes = documents === undefined ? [] : [{ label: 'documents', documents }];
  if (documents !== undefined && nodes === undefined) return sizes;
  for (const text of (nodes ?? '200').split(',')) {
    if (!/^[1-9]\d{0,6}$/.test(text)) refuse(`--nodes ${text}: a number of nodes is needed`);
    sizes.push({ label: `${text}-nodes`, nodes: Number(text) });
  }
  return sizes;
}

function loadOptions() {
  return {
    seed: flags.seed,
    gzip: flags.plain !== true,
    layout: flags.compact ? 'compact' : 'pretty',
    warm: number('warm', 0),
    steady: number('steady', 0),
    ...(flags['steady-nodes'] === undefined ? {} : { steadyNodes: number('steady-nodes', 1) }),
    isLatencyMeasured: parts.includes('latency'),
    latencyNodes: number('latency-nodes', 1),
    rate: number('rate', 1),
    seconds: number('seconds', 1),
    samples: number('samples', 1),
    concurrency: number('concurrency', 1),
    stall: number('stall', 1),
  };
}

function measureOptions() {
  return {
    ...loadOptions(),
    dist: flags.dist,
    parts,
    settle: number('settle', 0),
    querySettle: number('query-settle', 0),
    rounds: number('rounds', 1),
    querySeconds: number('query-seconds', 0),
    only: flags.only,
    say,
  };
}
