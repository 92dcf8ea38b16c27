// Measures what a log costs: submits a simulated fleet for some simulated days, and measures the disk, processor time and
// acknowledgements. Then reads every record back, compares its payload with what was sent, and rebuilds the tables.
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
import { startOurs } from './support/sides.mjs';

const USAGE = `Usage: node test/load/log-size.mjs --out DIR [options]

  --nodes N (50)  --runs N (48)  --seed TEXT (load)  --concurrency N (4)
  --dist DIR      the built project
  --verify        read every record back, and compare its payload with what was sent
  --rebuild       rebuild the tables
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
});
const [nodes, runs, concurrency] = [flags.nodes, flags.runs, flags.concurrency].map(Number);
const { Fleet } = builtFleet(flags.dist);
const fleet = new Fleet(flags.seed);
const startTime = new Date(Date.now() - runs * 1_800_000);
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

/** Submits the documents of one run after the other. */
async function load(url) {
  for (let run = 0; run < runs; run++) {
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
  const log = new EmbeddedCommandLog(db, { partitions: 1, cacheBytes: 0 });
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
  const log = new EmbeddedCommandLog(db, { partitions: 1, cacheBytes: 0 });
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

const began = performance.now();
const side = await startOurs({ dist: flags.dist, directory: flags.out });
try {
  const watch = new ProcessWatch(side);
  watch.begin({ postgresMemory: false });
  await load(side.url);
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
  if (flags.rebuild) {
    const { seconds, processorSeconds } = await rebuild(side.databaseUrl);
    console.log(`  rebuild: ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time in Node.js`);
  }
} finally {
  agent.destroy();
  await side.stop();
  rmSync(join(flags.out, 'data'), { recursive: true, force: true });
}
