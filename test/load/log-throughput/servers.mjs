/** The PostgreSQL, the Kafka broker and the service that are measured; each ends with `stop`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { nodeFlags } from '../support/arguments.mjs';
import { builtPart } from './stores.mjs';

const startMs = 120_000;

/** A PostgreSQL with the settings of the embedded one, so commits reach the disk. */
export async function startPostgres(dist, dataDir) {
  const { EmbeddedPostgres } = builtPart(dist, 'libs/database/index.js');
  await mkdir(dataDir, { recursive: true });
  // If root runs the measurement, PostgreSQL runs as another user.
  await chmod(dataDir, 0o711);
  const server = await EmbeddedPostgres.start({ dataDir });
  const admin = async (text) => {
    const client = new pg.Client({ connectionString: server.connectionString });
    await client.connect();
    try {
      return (await client.query(text)).rows[0];
    } finally {
      await client.end();
    }
  };
  const [pid] = (await admin(`SELECT pg_read_file('postmaster.pid') AS file`)).file.split('\n');
  return {
    pid: Number(pid),
    async database(name) {
      await admin(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
      const url = new URL(server.connectionString);
      url.pathname = `/${name}`;
      return url.href;
    },
    drop: (name) => admin(`DROP DATABASE ${name} WITH (FORCE)`),
    /** Data of earlier phases is flushed to the disk before the next measurement. */
    checkpoint: () => admin('CHECKPOINT'),
    async stop() {
      await server.stop();
      await rm(server.location, { recursive: true, force: true });
    },
  };
}

/** The named brokers, or a separate one, or the reason why there is none. */
export async function startKafka(dataDir) {
  const named = (process.env.TEST_KAFKA_BROKERS || process.env.KAFKA_BROKERS || '').split(',').filter(Boolean);
  if (named.length > 0) return { brokers: named, pid: undefined, stop: async () => undefined };
  const script = join(import.meta.dirname, '../../support/kafka/broker.mjs');
  const check = spawn(process.execPath, [script, 'check'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const missing = (await textOf(check.stdout)).trim();
  if (missing !== '') return { skipped: missing };
  const [port, controller] = [await freePort(), await freePort()];
  const args = ['run', '--data', dataDir, '--port', `${port}`, '--controller-port', `${controller}`];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(child, 'close');
  const [said] = await Promise.race([once(child.stdout, 'data'), gone]);
  if (!Buffer.isBuffer(said)) throw new Error('the broker did not start');
  return {
    brokers: [`127.0.0.1:${port}`],
    pid: JSON.parse(said.toString()).pid,
    async stop() {
      child.stdin.end();
      await gone;
    },
  };
}

/** The process that only accepts commands. */
export async function startCommandApi({ dist, directory, database, brokers, topic, partitions }) {
  const port = await freePort();
  await mkdir(directory, { recursive: true });
  const output = createWriteStream(join(directory, 'command-api.log'));
  const inherited = Object.entries(process.env).filter(([name]) => !/^NODELEDGER_|^KAFKA_BROKERS$/.test(name));
  const child = spawn(process.execPath, [...nodeFlags, join(dist, 'apps/command-api/main.js')], {
    cwd: directory,
    env: {
      ...Object.fromEntries(inherited),
      DATABASE_URL: database,
      NODELEDGER_HOST: '127.0.0.1',
      NODELEDGER_PORT: String(port),
      NODELEDGER_LOG_PARTITIONS: String(partitions),
      NODELEDGER_GC_INTERVAL: '0',
      ...(brokers && { KAFKA_BROKERS: brokers.join(','), NODELEDGER_LOG_TOPIC: topic }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(output);
  child.stderr.pipe(output);
  const gone = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const stop = async () => {
    child.kill('SIGTERM');
    await gone;
  };
  for (const deadline = Date.now() + startMs; Date.now() < deadline && child.exitCode === null; await sleep(100)) {
    const answer = await fetch(`${url}/pdb/meta/v1/version`).catch(() => undefined);
    if (answer?.ok) return { url, pid: child.pid, stop };
  }
  await stop();
  throw new Error(`the command API did not start:\n${await readFile(join(directory, 'command-api.log'), 'utf8')}`);
}

async function textOf(stream) {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
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
