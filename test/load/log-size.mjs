// Measures what a log costs: submits a simulated fleet for some simulated days, and measures the disk, processor time and
// acknowledgements. Then reads every record back, compares its payload with what was sent, and rebuilds the tables.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { withDatabase } from './bench/measure-disk.mjs';
import { builtFleet, builtPart, readArguments } from './support/arguments.mjs';
import { ProcessWatch } from './support/processes.mjs';
import { startOurs, startReference } from './support/sides.mjs';

const USAGE = `Usage: node test/load/log-size.mjs --out DIR [options]

  --nodes N (50)  --runs N (48)  --seed TEXT (load)  --concurrency N (4)
  --dist DIR      the built project
  --verify        read every record back, and compare its payload with what was sent
  --rebuild       rebuild the tables
  --backup        make a backup of the log, and one more after another run, and restore it
  --snapshot      at the end, make a snapshot that keeps no history of the log
  --reference DIR send the commands to the reference server whose script reference.sh is in DIR, and measure its database
`;
const flags = readArguments(USAGE, {
  out: { type: 'string' },
  nodes: { type: 'string', default: '50' },
  runs: { type: 'string', default: '48' },
  seed: { type: 'string', default: 'load' },
  concurrency: { type: 'string', default: '4' },
  dist: { type: 'string', default: join(import.meta.dirname, '../../dist') },
  verify: { type: 'boolean' },
  rebuild: { type: 'boolean' },
  backup: { type: 'boolean' },
  snapshot: { type: 'boolean' },
  reference: { type: 'string' },
});
const [nodes, allRuns, concurrency] = [flags.nodes, flags.runs, flags.concurrency].map(Number);
const { Fleet } = builtFleet(flags.dist);
const fleet = new Fleet(flags.seed);
const startTime = new Date(Date.now() - allRuns * 1_800_000);
const compress = promisify(gzip);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function sizeOf(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, path, name }) =>
        sum + (statSync(join(parentPath ?? path, name), { throwIfNoEntry: false })?.blocks ?? 0) * 512,
      0,
    );
}

const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
const digests = new Map();
const waits = [];
let sentBytes = 0;

async function submit(url, { command, version, certname, text }) {
  const body = await compress(text);
  sentBytes += body.length;
  const path = `/pdb/cmd/v1?command=${command.replaceAll(' ', '_')}&version=${version}&certname=${certname}`;
  for (;;) {
    const began = performance.now();
    const { status, answer } = await post(`${url}${path}`, body);
    if (status === 503) {
      await sleep(200);
      continue;
    }
    if (status !== 200) throw new Error(`${status}: ${answer}`);
    waits.push(performance.now() - began);
    digests.set(JSON.parse(answer).uuid, createHash('sha256').update(text).digest('base64'));
    return;
  }
}

const post = (url, body) =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': body.length };
    request(url, { method: 'POST', agent, headers }, (response) => {
      let answer = '';
      response
        .on('data', (chunk) => (answer += chunk))
        .on('end', () => resolve({ status: response.statusCode, answer }));
    })
      .on('error', reject)
      .end(body);
  });

/** Submits the documents of some runs, one run after the other. */
async function load(url, first, end) {
  for (let run = first; run < end; run++) {
    const queue = Array.from({ length: nodes }, (_, node) => node);
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        for (let node = queue.shift(); node !== undefined; node = queue.shift())
          for (const document of fleet.run(node, run, { startTime }).sent) await submit(url, document);
      }),
    );
  }
}

const rowsOf = async (client, text) => (await client.query(text)).rows;

async function untilApplied(client) {
  for (;;) {
    const [{ left }] = await rowsOf(
      client,
      `SELECT sum(l.next_offset - p.next_offset)::int AS left FROM nodeledger.log_partitions l
       JOIN nodeledger.positions p USING (log_partition) JOIN nodeledger.generations g USING (generation) WHERE g.state = 'live'`,
    );
    if (left === 0) return;
    await sleep(200);
  }
}

async function readBack(databaseUrl) {
  const { Database } = builtPart(flags.dist, 'libs/database/index.js');
  const { EmbeddedCommandLog, offsetAfter } = builtPart(flags.dist, 'libs/log/index.js');
  const db = new Database({ connectionString: databaseUrl, max: 4 });
  const log = new EmbeddedCommandLog(db, { partitions: 1 });
  await log.open();
  const { starts, ends } = await log.extent();
  const left = new Map([...ends].filter(([partition, end]) => end > starts.get(partition)));
  const reader = log.reader(starts);
  let equal = 0;
  while (left.size > 0) {
    for (const record of await reader.next({ maxRecords: 200, maxBytes: 8 << 20 })) {
      if (offsetAfter(record) >= left.get(record.partition)) left.delete(record.partition);
      const digest = digests.get(record.uuid);
      if (digest === undefined) continue;
      const plain = record.encoding === 'gzip' ? gunzipSync(record.payload) : record.payload;
      if (createHash('sha256').update(plain).digest('base64') !== digest) throw new Error(`${record.uuid} differs`);
      equal++;
    }
  }
  await log.close();
  await db.close();
  if (equal !== digests.size) throw new Error(`${equal} of ${digests.size} records came`);
  return equal;
}

async function rebuild(databaseUrl) {
  const { Database } = builtPart(flags.dist, 'libs/database/index.js');
  const { EmbeddedCommandLog } = builtPart(flags.dist, 'libs/log/index.js');
  const { rebuild: rebuildTables } = builtPart(flags.dist, 'libs/projections/index.js');
  const { defaultLimits } = builtPart(flags.dist, 'libs/limits/index.js');
  const db = new Database({ connectionString: databaseUrl, max: 8, statementTimeoutMs: 0 });
  const log = new EmbeddedCommandLog(db, { partitions: 1 });
  const { logId } = await log.open();
  const [began, used] = [performance.now(), process.cpuUsage()];
  const signal = new AbortController().signal;
  const context = { db, log, logId, signal, limits: defaultLimits, maxCommandBytes: defaultLimits.commandBytes };
  await rebuildTables(context, {});
  const { user, system } = process.cpuUsage(used);
  await log.close();
  await db.close();
  return { seconds: (performance.now() - began) / 1000, processorSeconds: (user + system) / 1e6 };
}

/** Runs a verb of the command line on a database. Returns its answer, and how long it took. */
function runVerb(databaseUrl, ...words) {
  const environment = { ...process.env, DATABASE_URL: databaseUrl };
  const main = join(flags.dist, 'apps/cli/main.js');
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...words, '--json'], {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(`${words[0]} ended with ${status}: ${stderr}`);
  return { ...JSON.parse(stdout), seconds: (performance.now() - began) / 1000 };
}

const backUp = (databaseUrl) => runVerb(databaseUrl, 'backup', join(flags.out, 'backup'));

/** Restores the backup into a new database of the same server, and removes the database. */
async function restore(databaseUrl) {
  const target = new URL(databaseUrl);
  target.pathname = '/restored';
  await withDatabase(databaseUrl, (client) => client.query('CREATE DATABASE restored'));
  const { seconds } = runVerb(target.href, 'restore', join(flags.out, 'backup'));
  await withDatabase(databaseUrl, (client) => client.query('DROP DATABASE restored'));
  return seconds;
}

/** Returns the bytes of the segments of the backup, without the control tables. */
const segmentBytes = () =>
  readdirSync(join(flags.out, 'backup'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith('.log'))
    .reduce((sum, { parentPath, path, name }) => sum + statSync(join(parentPath ?? path, name)).size, 0);

async function measureReference() {
  const side = await startReference({
    scriptDirectory: flags.reference,
    directory: flags.out,
    port: 8098,
    database: 'refdb_log_size',
  });
  try {
    const watch = new ProcessWatch(side);
    const began = performance.now();
    watch.begin({ postgresMemory: false });
    await load(side.url, 0, allRuns);
    for (let quiet = 0; quiet < 5; await sleep(1000)) {
      const answer = await fetch(`${side.url}/status/v1/services/puppetdb-status`);
      quiet = (await answer.json()).status.queue_depth === 0 ? quiet + 1 : 0;
    }
    const seconds = (performance.now() - began) / 1000;
    const { serviceMs, postgresMs } = watch.end();
    watch.stop();
    await withDatabase(side.databaseUrl, async (client) => {
      const [{ bytes }] = await rowsOf(client, 'SELECT pg_database_size(current_database())::float8 AS bytes');
      console.log(
        `reference, ${nodes} nodes, ${allRuns} runs: ${digests.size} commands of ${megabytes(sentBytes)} in ${seconds.toFixed(0)} s; database ${megabytes(bytes)}`,
      );
      console.log(
        `  processor time a command: service ${(serviceMs / digests.size).toFixed(1)} ms, PostgreSQL ${(postgresMs / digests.size).toFixed(1)} ms`,
      );
    });
  } finally {
    agent.destroy();
    await side.stop();
  }
}

if (flags.reference !== undefined) {
  await measureReference();
  process.exit(0);
}
/** The last run is for the second backup. */
const runs = flags.backup ? allRuns - 1 : allRuns;
const began = performance.now();
const side = await startOurs({ dist: flags.dist, directory: flags.out });
try {
  const watch = new ProcessWatch(side);
  watch.begin({ postgresMemory: false });
  await load(side.url, 0, runs);
  await withDatabase(side.databaseUrl, async (client) => {
    await untilApplied(client);
    const seconds = (performance.now() - began) / 1000;
    await sleep(3000);
    const { serviceMs, postgresMs, serviceBytes } = watch.end();
    watch.stop();
    const [{ lsn }] = await rowsOf(client, `SELECT (pg_current_wal_lsn() - '0/0')::float8 AS lsn`);
    await client.query('CHECKPOINT');
    const tables = await rowsOf(
      client,
      `SELECT relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes FROM pg_class c
       JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'nodeledger' AND relkind = 'r' AND relname LIKE 'log%' ORDER BY 2 DESC`,
    );
    const [{ all }] = await rowsOf(client, 'SELECT pg_database_size(current_database())::float8 AS all');
    const [{ wal }] = await rowsOf(client, 'SELECT sum(size)::float8 AS wal FROM pg_ls_waldir()');
    waits.sort((a, b) => a - b);
    const at = (share) => waits[Math.floor(waits.length * share)].toFixed(1);
    const log = tables.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(
      `${nodes} nodes, ${runs} runs: ${digests.size} commands of ${megabytes(sentBytes)} in ${seconds.toFixed(0)} s`,
    );
    console.log(
      `  processor time a command: service ${(serviceMs / digests.size).toFixed(1)} ms, PostgreSQL ${(postgresMs / digests.size).toFixed(1)} ms`,
    );
    console.log(`  memory of the service: ${megabytes(serviceBytes)}; written ahead: ${megabytes(lsn)}`);
    console.log(`  acknowledged: median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
    console.log(
      `  data directory ${megabytes(sizeOf(join(flags.out, 'data')))}: log ${megabytes(log)}, read tables ${megabytes(all - log)}, write-ahead log ${megabytes(wal)}`,
    );
    for (const { name, bytes } of tables) console.log(`    ${name} ${megabytes(bytes)}`);
    if (flags.verify) console.log(`  ${await readBack(side.databaseUrl)} records are equal to what was sent`);
  });
  if (flags.backup) {
    const first = backUp(side.databaseUrl);
    const bytes = segmentBytes();
    console.log(`  backup: ${megabytes(bytes)} of ${first.records} records in ${first.seconds.toFixed(1)} s`);
    await load(side.url, runs, allRuns);
    const second = backUp(side.databaseUrl);
    console.log(
      `  after another run: ${megabytes(segmentBytes() - bytes)} of ${second.written} records in ${second.seconds.toFixed(1)} s`,
    );
    console.log(`  restore: ${(await restore(side.databaseUrl)).toFixed(1)} s`);
  }
  if (flags.rebuild) {
    const { seconds, processorSeconds } = await rebuild(side.databaseUrl);
    console.log(`  rebuild: ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time in Node.js`);
  }
  if (flags.snapshot) {
    const { seconds } = runVerb(side.databaseUrl, 'snapshot', '--history', '0', '--yes');
    console.log(`  snapshot: ${seconds.toFixed(1)} s`);
  }
} finally {
  agent.destroy();
  await side.stop();
  for (const name of ['data', 'backup']) rmSync(join(flags.out, name), { recursive: true, force: true });
}
