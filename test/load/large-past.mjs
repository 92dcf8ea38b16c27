/**
 * Fills the service with a large fleet that has run every half hour until now, and measures questions about the past and about
 * changes: `node test/load/large-past.mjs --out DIR --nodes 2000 --models 40 --runs 100`. Some machines submit their runs. The rows of
 * the others are copies of their rows with other keys, because so many documents would take hours. A folder that was filled once is
 * used again.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorQueries, pathOf } from './bench/operator-queries.mjs';
import { percentiles } from './bench/percentiles.mjs';
import { builtFleet, builtPart, DEFAULT_DIST, readArguments } from './support/arguments.mjs';
import { startOurs } from './support/sides.mjs';

const USAGE = `Usage: node test/load/large-past.mjs --out DIR [options]

  --nodes N (2000)  --models N (40)  --runs N (100)  size of the fleet, and how many of its machines submit their runs
  --rounds N (9)    how often each question is sent
  --only TEXT       only questions whose name contains TEXT
  --dist DIR        the built project
  --fill            only fill DIR
`;
const flags = readArguments(USAGE, {
  out: { type: 'string' },
  nodes: { type: 'string', default: '2000' },
  models: { type: 'string', default: '40' },
  runs: { type: 'string', default: '100' },
  rounds: { type: 'string', default: '9' },
  only: { type: 'string', default: '' },
  dist: { type: 'string', default: DEFAULT_DIST },
  fill: { type: 'boolean' },
});
const [nodes, models, runs, rounds] = [flags.nodes, flags.models, flags.runs, flags.rounds].map(Number);
const { Database } = builtPart(flags.dist, 'libs/database/index.js');
const say = (text) => process.stderr.write(`${text}\n`);
const halfHour = 1_800_000;

const filled = existsSync(join(flags.out, 'data'));
const side = await startOurs({
  dist: flags.dist,
  directory: flags.out,
  keep: true,
  // The rows that were copied exist only in the tables, so nothing may rebuild or collect them.
  environment: { NODELEDGER_GC_INTERVAL: '0', NODELEDGER_QUERY_TIMEOUT: '10m' },
});
const agent = new Agent({ keepAlive: true, maxSockets: 2 });
const db = new Database({ connectionString: side.databaseUrl, max: 2 });
const rowsOf = (text, values = []) => db.query({ text, values });
const get = (path) =>
  new Promise((resolve, reject) => {
    request(new URL(path, side.url), { agent, headers: { accept: 'application/json' } }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const body = Buffer.concat(parts).toString();
        if (answer.statusCode === 200) resolve(body);
        else reject(new Error(`${answer.statusCode} ${path.slice(0, 100)}: ${body.slice(0, 200)}`));
      });
    })
      .once('error', reject)
      .end();
  });

try {
  const [{ schema }] = await rowsOf(`SELECT schema_name AS schema FROM nodeledger.generations WHERE state = 'live'`);
  if (!filled) await fill(schema);
  if (!flags.fill) await measure(schema);
} finally {
  agent.destroy();
  await db.close();
  await side.stop();
}

/** Appends the runs of the models as if they had been received every half hour until now, and copies the rows of the tables. */
async function fill(schema) {
  const { Fleet } = builtFleet(flags.dist);
  const { EmbeddedCommandLog } = builtPart(flags.dist, 'libs/log/index.js');
  const log = new EmbeddedCommandLog(db, { partitions: 1 });
  await log.open();
  const fleet = new Fleet('past');
  const startTime = new Date(Date.now() - runs * halfHour);
  for (let run = 0; run < runs; run++) {
    const sent = Array.from({ length: models }, (_, index) => fleet.run(index, run, { startTime }).sent).flat();
    await Promise.all(
      sent.map(({ command, version, certname, producerTimestamp, text }) =>
        log.append({
          uuid: randomUUID(),
          receivedAt: Date.parse(producerTimestamp),
          encoding: 'identity',
          payload: Buffer.from(text),
          ...{ command, version, certname },
        }),
      ),
    );
    if (run % 10 === 0) say(`run ${run} of ${runs} is appended`);
  }
  const ends = await log.ends();
  for (;;) {
    const positions = await rowsOf('SELECT log_partition AS partition, next_offset FROM nodeledger.positions');
    const at = new Map(positions.map(({ partition, next_offset }) => [partition, Number(next_offset)]));
    const missing = [...ends].reduce((sum, [partition, end]) => sum + Math.max(0, end - (at.get(partition) ?? 0)), 0);
    if (missing === 0) break;
    say(`${missing} commands wait`);
    await sleep(5_000);
  }
  await log.close();
  await copyNodes(schema);
}

async function copyNodes(schema) {
  const tables = await rowsOf(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' GROUP BY 1`,
    [schema],
  );
  const changed = {
    // The lower half of a key does not change the partition.
    node: '(t.node # (k::bigint * 7919))',
    certname: `t.certname || '-' || k`,
    report: `md5(t.report::text || '/' || k)::uuid`,
    hash: `CASE WHEN length(t.hash) = 40 THEN replace(md5(t.hash || '/' || k), '-', '') || '00000000' ELSE t.hash END`,
  };
  for (const { name, columns } of tables.filter((table) => table.columns.includes('node'))) {
    const began = performance.now();
    const values = columns.map((column) => changed[column] ?? `t.${column}`);
    await rowsOf(`INSERT INTO ${schema}.${name} (${columns.join(', ')})
      SELECT ${values.join(', ')} FROM ${schema}.${name} t CROSS JOIN generate_series(1, ${nodes / models - 1}) k`);
    say(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  await rowsOf('VACUUM (ANALYZE)');
  await rowsOf('CHECKPOINT');
}

async function measure(schema) {
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
