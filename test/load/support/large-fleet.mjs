/**
 * Opens a service with a large fleet that has run every half hour until now. Some machines submit their runs. The rows of the
 * others are copies of their rows with other keys, because so many documents would take hours. A folder that was filled once is
 * used again.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtFleet, builtPart } from './arguments.mjs';
import { startOurs } from './sides.mjs';

const halfHour = 1_800_000;
const say = (text) => process.stderr.write(`${text}\n`);

/** The options that choose the fleet. */
export const fleetOptions = (defaults) => ({
  out: { type: 'string' },
  nodes: { type: 'string', default: defaults.nodes },
  models: { type: 'string', default: '40' },
  runs: { type: 'string', default: defaults.runs },
});

/**
 * Starts the service in `out`, and fills it if the folder is new. Returns the service as `side`, the live `schema`, `rowsOf` for
 * SQL, `get` for HTTP, and `close`.
 */
export async function openLargeFleet({ dist, out, environment = {}, ...size }) {
  const [nodes, models, runs] = [size.nodes, size.models, size.runs].map(Number);
  const isFilled = existsSync(join(out, 'data'));
  const side = await startOurs({
    dist,
    directory: out,
    keep: true,
    // The rows that were copied exist only in the tables, so nothing may rebuild or collect them.
    environment: { NODELEDGER_GC_INTERVAL: '0', NODELEDGER_QUERY_TIMEOUT: '10m', ...environment },
  });
  const { Database } = builtPart(dist, 'libs/database/index.js');
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const db = new Database({ connectionString: side.databaseUrl, max: 2 });
  const rowsOf = (text, values = []) => db.query({ text, values });
  const close = async () => {
    agent.destroy();
    await db.close();
    await side.stop();
  };
  try {
    const [{ schema }] = await rowsOf(`SELECT schema_name AS schema FROM nodeledger.generations WHERE state = 'live'`);
    if (!isFilled) {
      await submitModels({ dist, db, rowsOf, models, runs });
      await copyNodes({ rowsOf, schema, copies: nodes / models - 1 });
    }
    return { side, schema, rowsOf, get: (path) => get(new URL(path, side.url), agent), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const get = (url, agent) =>
  new Promise((resolve, reject) => {
    request(url, { agent, headers: { accept: 'application/json' } }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const body = Buffer.concat(parts).toString();
        if (answer.statusCode === 200) resolve(body);
        else
          reject(new Error(`${answer.statusCode} ${url.pathname}${url.search.slice(0, 100)}: ${body.slice(0, 200)}`));
      });
    })
      .once('error', reject)
      .end();
  });

/** Appends the runs of the models as if they had been received every half hour until now, and waits until they are applied. */
async function submitModels({ dist, db, rowsOf, models, runs }) {
  const { Fleet } = builtFleet(dist);
  const { EmbeddedCommandLog } = builtPart(dist, 'libs/log/index.js');
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
}

/** Copies the rows of each model `copies` times with other keys. */
async function copyNodes({ rowsOf, schema, copies }) {
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
      SELECT ${values.join(', ')} FROM ${schema}.${name} t CROSS JOIN generate_series(1, ${copies}) k`);
    say(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  await rowsOf('VACUUM (ANALYZE)');
  await rowsOf('CHECKPOINT');
}
