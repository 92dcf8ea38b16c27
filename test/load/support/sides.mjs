import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_DIST } from './arguments.mjs';

/** The options that choose the servers to measure. */
export const sideOptions = {
  ours: { type: 'boolean' },
  'ours-database': { type: 'string' },
  reference: { type: 'boolean' },
  'reference-port': { type: 'string', default: '8091' },
  'reference-database': { type: 'string', default: 'refdb_bench' },
  url: { type: 'string' },
  pid: { type: 'string', multiple: true, default: [] },
  name: { type: 'string', default: 'server' },
  database: { type: 'string' },
  dist: { type: 'string', default: DEFAULT_DIST },
};

export const SIDES_USAGE = `Sides, one or more:
  --ours                   start this project's built server with a PostgreSQL of its own
  --ours-database URL      start it on that database instead (it should be empty)
  --reference              start the reference: needs REFERENCE_DIR, the folder of its reference.sh
  --reference-port PORT    (8091)   --reference-database NAME  (refdb_bench, recreated)
  --url URL --pid PID      a server that runs already; --pid may be repeated (its PostgreSQL, too)
                           --name NAME, and --database NAME: count backends of this database of any PostgreSQL
  --dist DIR               the built project
`;

/** The chosen servers, each as a function that starts it. Their files are kept in `directory`. */
export function sidesOf(flags, directory) {
  const sides = [];
  if (flags.ours || flags['ours-database'] !== undefined) {
    const databaseUrl = flags['ours-database'];
    sides.push(() => startOurs({ dist: flags.dist, directory: join(directory, 'ours'), databaseUrl }));
  }
  if (flags.reference) {
    const scriptDirectory = process.env.REFERENCE_DIR;
    if (scriptDirectory === undefined) throw new Error('REFERENCE_DIR must name the folder of reference.sh');
    const port = Number(flags['reference-port']);
    const database = flags['reference-database'];
    sides.push(() => startReference({ scriptDirectory, directory: join(directory, 'reference'), port, database }));
  }
  if (flags.url !== undefined) {
    const { name, url, database } = flags;
    sides.push(async () => ({ name, url, database, roots: flags.pid.map(Number), stop: async () => undefined }));
  }
  if (sides.length === 0) throw new Error('no side is given, see --help');
  return sides;
}

/** Starts this project's server on a free port with a data folder of its own; `databaseUrl`: on that PostgreSQL, not its own. */
export async function startOurs({ dist, directory, databaseUrl, environment = {} }) {
  await mkdir(directory, { recursive: true });
  const port = await freePort();
  const dataDir = join(directory, 'data');
  const log = createWriteStream(join(directory, 'server.log'));
  const child = spawn(process.execPath, [join(dist, 'apps/server/main.js')], {
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
  return {
    name: 'nodeledger',
    url,
    roots: [child.pid, ...(embedded === undefined ? [] : [embedded])],
    database: databaseUrl === undefined ? undefined : new URL(databaseUrl).pathname.slice(1),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Starts the reference server by its own script, over an empty database. */
export async function startReference({ scriptDirectory, directory, port, database }) {
  await mkdir(directory, { recursive: true });
  const script = join(scriptDirectory, 'reference.sh');
  const environment = { ...process.env, REF_HOME: directory, REF_PORT: String(port), REF_DB: database };
  const run = (verb) => {
    const done = spawnSync('bash', [script, verb], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
    if (done.status !== 0) throw new Error(`${script} ${verb} ended with ${done.status}`);
  };
  run('reset');
  return {
    name: 'reference',
    url: `http://127.0.0.1:${port}`,
    roots: [Number(readFileSync(join(directory, 'pid'), 'utf8'))],
    database,
    stop: async () => run('stop'),
  };
}

async function untilAnswering(url, gone, logPath) {
  for (let tries = 0; tries < 600; tries++) {
    if (gone()) break;
    try {
      if ((await fetch(`${url}/pdb/meta/v1/version`)).ok) return;
    } catch {
      // it does not listen yet
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
