/**
 * Sends the 37 queries, one at a time over one connection. Measures the time of each whole answer, and its processor
 * time.
 */
import { Agent, request } from 'node:http';
import { operatorQueries, pathOf } from './operator-queries.mjs';
import { percentiles } from './percentiles.mjs';

const WARM_ROUNDS = 3;
/** Number of rounds for a slow query, which is not sent `rounds` times. */
const LEAST_ROUNDS = 3;

/** Returns one figure for each query. A query that fails has `error` instead of times, and the next one is sent. */
export async function measureQueries(side, watch, { rounds, querySeconds, only, say }) {
  const connection = new Connection(side.url);
  const figures = [];
  try {
    const names = await namesIn(connection);
    for (const query of operatorQueries(names).filter(({ name }) => name.includes(only))) {
      const asked = { query: query.name, kind: query.kind, path: pathOf(query) };
      try {
        figures.push({ ...asked, ...(await measure(connection, watch, asked.path, { rounds, querySeconds })) });
      } catch (error) {
        say(`${query.name}: ${error.message}`);
        figures.push({ ...asked, error: error.message });
      }
    }
  } finally {
    connection.close();
  }
  return figures;
}

/** Returns the names in the queries. Servers with the same documents give the same names. */
async function namesIn(connection) {
  const ask = async (pql) => JSON.parse(await connection.get(pathOf({ pql })));
  const [{ count }] = await ask('catalogs[count()] { }');
  const [node] = await ask(
    `catalogs[certname] { order by certname limit 1 offset ${Math.max(0, Math.ceil(count / 2) - 1)} }`,
  );
  const newest = (condition) =>
    ask(`reports[hash, end_time] { ${condition} order by end_time desc, certname limit 1 }`);
  const report = (await newest('status = "changed"'))[0] ?? (await newest(''))[0];
  if (node === undefined || report === undefined) throw new Error('the server has no catalog or no report to ask for');
  const end = Date.parse(report.end_time);
  const at = (ms) => new Date(end + ms).toISOString();
  return { certname: node.certname, report: report.hash, since: at(-3_600_000), until: at(3_600_000) };
}

async function measure(connection, watch, path, { rounds, querySeconds }) {
  const times = [];
  let body = await connection.get(path);
  const warmUntil = performance.now() + 500 * querySeconds;
  for (let round = 1; round < WARM_ROUNDS && performance.now() < warmUntil; round++) body = await connection.get(path);
  const ends = performance.now() + 1000 * querySeconds;
  watch.begin();
  while (times.length < rounds && (times.length < LEAST_ROUNDS || performance.now() < ends)) {
    const began = performance.now();
    body = await connection.get(path);
    times.push(performance.now() - began);
  }
  const { serviceMs, postgresMs, ...memory } = watch.end();
  const rows = JSON.parse(body);
  const { p50, p95 } = percentiles(times);
  return {
    ...{ p50, p95, least: Math.min(...times), rounds: times.length },
    ...(serviceMs === undefined ? {} : { processorMs: (serviceMs + postgresMs) / times.length }),
    ...memory,
    bytes: body.length,
    rows: Array.isArray(rows) ? rows.length : 1,
  };
}

/** One connection that stays open. */
class Connection {
  constructor(base) {
    this.base = base;
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 });
  }

  /** Returns the body of an answer with the status 200. */
  get(path) {
    const url = new URL(path, this.base);
    return new Promise((resolve, reject) => {
      const asked = request(url, { agent: this.agent, headers: { accept: 'application/json' } }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.once('error', reject);
        answer.once('end', () => {
          const body = Buffer.concat(parts);
          if (answer.statusCode === 200) resolve(body);
          else reject(new Error(`${path} was answered ${answer.statusCode}: ${body.toString('utf8', 0, 300)}`));
        });
      });
      asked.once('error', reject);
      asked.end();
    });
  }

  close() {
    this.agent.destroy();
  }
}
