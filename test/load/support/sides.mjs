import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_DIST, builtPart, nodeFlags } from './arguments.mjs';

/** The options that choose the measured servers. */
export const sideOptions = {
  ours: { type: 'boolean' },
  'ours-database': { type: 'string' },
  reference: { type: 'boolean' },
  'reference-port': { type: 'string', default: '8091' },
  'reference-database': { type: 'string', default: 'refdb_bench' },
  url: { type: 'string', multiple: true, default: [] },
  pid: { type: 'string', multiple: true, default: [] },
  name: { type: 'string', multiple: true, default: [] },
  'database-url': { type: 'string', multiple: true, default: [] },
  dist: { type: 'string', default: DEFAULT_DIST },
};

export const SIDES_USAGE = `Sides, one or more:
  --ours                   start this project's built server with a PostgreSQL of its own
  --ours-database URL      start it on that database instead (it should be empty)
  --reference              start the reference: needs REFERENCE_DIR, the folder of its reference.sh
  --reference-port PORT    (8091)   --reference-database NAME  (refdb_bench, recreated)
  --url URL --name NAME    a server that runs already; may be repeated, like the flags that follow, which are given
                           once for each URL or never:
                           --pid PID,PID           its processes (of its PostgreSQL, too), with all their children
                           --database-url URL      its database: for its size, and to count its PostgreSQL processes
  --dist DIR               the built project
`;

/**
 * The chosen servers: `{ kind, name, start(directory, environment) }`, where `start` keeps the files of the server in
 * `directory`. A started side has `url`, `roots` (processes), `database` (the name by which its PostgreSQL processes are
 * found where they are not below `roots`), `databaseUrl`, and `stop()`.
 */
export function sidesOf(flags) {
  const sides = [];
  if (flags.ours || flags['ours-database'] !== undefined) {
    const start = (directory, environment) =>
      startOurs({ dist: flags.dist, directory, databaseUrl: flags['ours-database'], environment });
    sides.push({ kind: 'ours', name: 'nodeledger', start });
  }
  if (flags.reference) {
    const scriptDirectory = process.env.REFERENCE_DIR;
    if (scriptDirectory === undefined) throw new Error('REFERENCE_DIR must name the folder of reference.sh');
    const port = Number(flags['reference-port']);
    const database = flags['reference-database'];
    const start = (directory) => startReference({ scriptDirectory, directory, port, database });
    sides.push({ kind: 'reference', name: 'reference', start });
  }
  for (const name of ['name', 'pid', 'database-url'])
    if (flags[name].length > 0 && flags[name].length !== flags.url.length)
      throw new Error(`--${name} is given ${flags[name].length} times, --url ${flags.url.length} times`);
  for (const [index, url] of flags.url.entries()) {
    const name = flags.name[index] ?? (flags.url.length === 1 ? 'server' : `server-${index + 1}`);
    if (!/^[\w.-]+$/.test(name)) throw new Error(`--name ${name}: letters, digits, '.', '_' and '-' are allowed`);
    const roots = (flags.pid[index] ?? '').split(',').filter(Boolean).map(Number);
    const databaseUrl = flags['database-url'][index];
    const database = databaseUrl === undefined ? undefined : databaseOf(databaseUrl);
    const side = { url, roots, database, databaseUrl, stop: async () => undefined };
    sides.push({ kind: 'url', name, start: async () => side });
  }
  return sides;
}

const databaseOf = (url) => new URL(url).pathname.slice(1);

/**
 * Starts this project's server on a free port with a new data folder. With `databaseUrl`, it uses that PostgreSQL
 * instead of the embedded one. `keep`: a stop does not remove the embedded database.
 */
export async function startOurs({ dist, directory, databaseUrl, environment = {}, keep = false }) {
  await mkdir(directory, { recursive: true });
  const port = await freePort();
  const dataDir = join(directory, 'data');
  const log = createWriteStream(join(directory, 'server.log'));
  const child = spawn(process.execPath, [...nodeFlags, join(dist, 'apps/server/main.js')], {
    env: {
      ...process.env,
      NODELEDGER_HOST: '127.0.0.1',
      NODELEDGER_PORT: String(port),
      NODELEDGER_DATA_DIR: dataDir,
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  const url = `http://127.0.0.1:${port}`;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await untilAnswering(url, () => child.exitCode !== null, join(directory, 'server.log'));
  const embedded = databaseUrl === undefined ? postmasterOf(dataDir) : undefined;
  const { EmbeddedPostgres } = builtPart(dist, 'libs/database/index.js');
  const running = databaseUrl === undefined ? await EmbeddedPostgres.running(dataDir) : undefined;
  return {
    url,
    roots: [child.pid, ...(embedded === undefined ? [] : [embedded])],
    database: databaseUrl === undefined ? undefined : databaseOf(databaseUrl),
    databaseUrl: databaseUrl ?? running?.connectionString,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      if (keep) return;
      // The cluster may be outside of the folder, so that the user of PostgreSQL has access.
      if (databaseUrl === undefined) await EmbeddedPostgres.discard(dataDir);
    },
  };
}

/** Starts the reference server with its own script and an empty database. */
export async function startReference({ scriptDirectory, directory, port, database }) {
  await mkdir(directory, { recursive: true });
  const script = join(scriptDirectory, 'reference.sh');
  const environment = { ...process.env, REF_HOME: directory, REF_PORT: String(port), REF_DB: database };
  const run = (verb) => {
    const done = spawnSync('bash', [script, verb], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
    if (done.status !== 0) throw new Error(`${script} ${verb} ended with ${done.status}`);
  };
  run('reset');
  const {
    PGHOST: host = '127.0.0.1',
    PGPORT: pgPort = '5432',
    PGUSER: user = 'puppetdb',
    PGPASSWORD: password = 'puppetdb',
  } = process.env;
  return {
    url: `http://127.0.0.1:${port}`,
    roots: [Number(readFileSync(join(directory, 'pid'), 'utf8'))],
    database,
    databaseUrl: `postgresql://${user}:${encodeURIComponent(password)}@${host}:${pgPort}/${database}`,
    stop: async () => run('stop'),
  };
}

async function untilAnswering(url, gone, logPath) {
  for (let tries = 0; tries < 600; tries++) {
    if (gone()) break;
    try {
      if ((await fetch(`${url}/pdb/meta/v1/version`)).ok) return;
    } catch {
      // The server does not listen yet.
    }
    await sleep(200);
  }
  throw new Error(`the server does not answer, its output is in ${logPath}`);
}

function postmasterOf(directory, depth = 3) {
  if (!existsSync(directory)) return undefined;
  const own = join(directory, 'postmaster.pid');
  if (existsSync(own)) return Number(readFileSync(own, 'utf8').split('\n')[0]);
  if (depth === 0) return undefined;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const found = entry.isDirectory() ? postmasterOf(join(directory, entry.name), depth - 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
