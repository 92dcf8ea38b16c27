/**
 * Fills the service with a large fleet (support/large-fleet.mjs), and measures questions about the past and about changes:
 * `node test/load/large-past.mjs --out DIR --nodes 2000 --models 40 --runs 100`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorQueries, pathOf } from './bench/operator-queries.mjs';
import { percentiles } from './bench/percentiles.mjs';
import { DEFAULT_DIST, readArguments } from './support/arguments.mjs';
import { fleetOptions, openLargeFleet } from './support/large-fleet.mjs';

const USAGE = `Usage: node test/load/large-past.mjs --out DIR [options]

  --nodes N (2000)  --models N (40)  --runs N (100)  size of the fleet, and how many of its machines submit their runs
  --rounds N (9)    how often each question is sent
  --only TEXT       only questions whose name contains TEXT
  --dist DIR        the built project
  --fill            only fill DIR
`;
const flags = readArguments(USAGE, {
  ...fleetOptions({ nodes: '2000', runs: '100' }),
  rounds: { type: 'string', default: '9' },
  only: { type: 'string', default: '' },
  dist: { type: 'string', default: DEFAULT_DIST },
  fill: { type: 'boolean' },
});
const rounds = Number(flags.rounds);
const say = (text) => process.stderr.write(`${text}\n`);

const { schema, rowsOf, get, close } = await openLargeFleet(flags);
try {
  if (!flags.fill) await measure();
} finally {
  await close();
}

async function measure() {
  // A certname of a copy does not have the key by which queries look it up.
  const certnames = (
    await rowsOf(`SELECT certname FROM ${schema}.nodes WHERE certname ~ '[a-z]$' ORDER BY md5(certname) LIMIT 20`)
  ).map((row) => row.certname);
  const [{ first, last }] = await rowsOf(
    `SELECT min(received_at)::text AS first, max(received_at)::text AS last FROM ${schema}.timeline`,
  );
  const [from, to] = [first, last].map((text) => Date.parse(text));
  const at = (share) => new Date(from + (to - from) * share).toISOString();
  const middle = at(0.5);
  const [report] = JSON.parse(
    await get(
      pathOf({ pql: `reports[hash, end_time] { status = "changed" order by end_time desc, certname limit 1 }` }),
    ),
  );
  const end = Date.parse(report.end_time);
  const names = {
    certname: certnames[0],
    report: report.hash,
    since: new Date(end - 3_600_000).toISOString(),
    until: new Date(end + 3_600_000).toISOString(),
  };
  const asOf = (path, moment) => `${path}${path.includes('?') ? '&' : '?'}as_of=${encodeURIComponent(moment)}`;
  const changes = (path, parameters) => `/nodeledger/v1/${path}?${new URLSearchParams(parameters)}`;
  const hourAgo = new Date(to - 3_600_000).toISOString();
  const cases = [
    ...operatorQueries(names).map((query) => ({
      name: query.name,
      paths: [() => pathOf(query), () => asOf(pathOf(query), middle)],
    })),
    ...['facts', 'catalogs', 'resources', 'package-inventory', 'reports'].map((entity) => ({
      name: `one node as of any time: ${entity}`,
      paths: [
        (n) =>
          asOf(
            `/pdb/query/v4/${entity}?query=${encodeURIComponent(JSON.stringify(['=', 'certname', certnames[n]]))}`,
            at(((n * 7) % 100) / 100),
          ),
      ],
    })),
    { name: 'timeline of a node', paths: [(n) => changes('timeline', { certname: certnames[n] })] },
    { name: "the fleet's last hour", paths: [() => changes('timeline', { from: hourAgo })] },
    { name: 'two nodes', paths: [(n) => changes('diff', { a: certnames[n], b: certnames[n + 1] })] },
    {
      name: 'a node and its past',
      paths: [(n) => changes('diff', { a: `${certnames[n]}@${at(0.5)}`, b: certnames[n] })],
    },
    { name: 'drift by role', paths: [() => changes('drift', { by: 'role' })] },
  ].filter(({ name }) => name.includes(flags.only));
  for (const { name, paths } of cases) {
    const times = paths.map(() => []);
    let size = 0;
    try {
      for (let n = 0; n <= rounds; n++)
        for (const [side, path] of paths.entries()) {
          const began = performance.now();
          size = (await get(path(n))).length;
          // The first round opens connections and makes plans.
          if (n > 0) times[side].push(performance.now() - began);
        }
      const [now, then] = times.map((all) => percentiles(all).p50);
      const beside = await waitsBeside(
        () => get(paths.at(-1)(0)),
        () => get(pathOf({ pql: `nodes { certname = "${certnames[1]}" }` })),
      );
      say(
        [
          name.padEnd(44),
          now.toFixed(1).padStart(9),
          then === undefined
            ? ''.padStart(16)
            : `${then.toFixed(1).padStart(9)} ${(then / now).toFixed(1).padStart(5)}×`,
          `${beside.toFixed(1).padStart(7)} ms p99 beside`,
          `${size} bytes`,
        ].join(' '),
      );
    } catch (error) {
      say(`${name}: ${error.message}`);
    }
  }
}

/** Sends a small query every 5 ms while `question` runs three times. Returns the 99th percentile of its times. */
async function waitsBeside(question, small) {
  let running = true;
  const asking = (async () => {
    for (let n = 0; n < 3; n++) await question();
    running = false;
  })();
  const times = [];
  while (running || times.length < 50) {
    const began = performance.now();
    await small();
    times.push(performance.now() - began);
    await sleep(5);
  }
  await asking;
  return percentiles(times).p99 ?? Math.max(...times);
}
