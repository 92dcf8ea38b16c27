/**
 * Starts one PostgreSQL (test/support/postgres.ts) and one Kafka broker (test/support/kafka.ts) for all specs of a run, and makes
 * one empty cluster of PostgreSQL that specs copy (test/e2e/service.ts). Each of the three waits for its first request. Specs run in
 * separate processes, so they send these requests over HTTP.
 */
// Jest compiles TypeScript for this file only until its imports are loaded. Modules that are loaded later need this.
import './run-typescript.cjs';
import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../libs/database/embedded/embedded-postgres';
import { fetchBroker, startBroker } from './kafka/own-broker';

interface Run {
  stopTestServers?: () => Promise<void>;
}

interface Served {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** The data is temporary, so it need not be flushed to the disk. */
const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '150' };

async function startPostgres(): Promise<Served> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-test-'));
  // If root runs the tests, PostgreSQL runs as another user.
  await chmod(dataDir, 0o711);
  const server = await EmbeddedPostgres.start({ dataDir, settings }).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(server.location, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  };
  return { address: server.connectionString, stop };
}

/** The data directory with the cluster is the address. */
async function makeCluster(): Promise<Served> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-test-'));
  await chmod(dataDir, 0o711);
  const server = await EmbeddedPostgres.start({ dataDir, settings });
  await server.stop();
  const stop = async (): Promise<void> => {
    await rm(server.location, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  };
  return { address: dataDir, stop };
}

async function startKafka(): Promise<Served> {
  const broker = await startBroker();
  const stop = async (): Promise<void> => {
    // The data is deleted, so a clean stop is not needed.
    await broker.kill();
    await broker.stop();
  };
  return { address: broker.brokers.join(','), stop };
}

async function fetchJars(): Promise<Served> {
  await fetchBroker();
  return { address: '', stop: () => Promise.resolve() };
}

/** Determined once at the start, because `describe` cannot wait. Empty if nothing is missing. */
function missingForKafka(): string {
  const script = join(__dirname, 'kafka', 'broker.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, 'check'], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return status === 0 ? stdout.trim() : `the broker's script does not run: ${stderr.trim()}`;
}

export default async function setup(): Promise<void> {
  const starts: Record<string, () => Promise<Served>> = {
    '/': startPostgres,
    '/cluster': makeCluster,
    '/kafka': startKafka,
    '/kafka/jars': fetchJars,
  };
  const started = new Map<string, Promise<Served>>();
  const desk = createServer((request, response) => {
    const path = request.url ?? '';
    const start = starts[path];
    if (start === undefined) {
      response.writeHead(404).end(`nothing is given out at ${path}`);
      return;
    }
    const served = started.get(path) ?? start();
    started.set(path, served);
    served.then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve));
  desk.unref();
  const notes = await mkdtemp(join(tmpdir(), 'nodeledger-run-'));
  process.env.NODELEDGER_TEST_DESK = `http://127.0.0.1:${(desk.address() as AddressInfo).port}/`;
  process.env.NODELEDGER_TEST_KAFKA_MISSING = missingForKafka();
  process.env.NODELEDGER_TEST_KAFKA_SKIPS = join(notes, 'kafka-skipped');
  (globalThis as Run).stopTestServers = async () => {
    desk.closeAllConnections();
    desk.close();
    const stops = [...started.values()].map((served) => served.then(({ stop }) => stop).catch(() => undefined));
    await Promise.all(stops.map(async (stop) => (await stop)?.()));
    await rm(notes, { recursive: true, force: true });
  };
}
