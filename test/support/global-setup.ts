/**
 * Gives the whole run one PostgreSQL, started when the first spec asks for it (test/support/postgres.ts). A spec runs in
 * a process of its own, so it asks over HTTP.
 */
import './source-names';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../libs/database/embedded/embedded-postgres';

interface Run {
  stopTestPostgres?: () => Promise<void>;
}

/** Its data is thrown away, so it need not reach the disk. */
const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '150' };

async function startPostgres(): Promise<{ connectionString: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'nodeledger-test-'));
  // Where the run is root's, PostgreSQL is another user's.
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
  return { connectionString: server.connectionString, stop };
}

export default async function setup(): Promise<void> {
  let postgres: ReturnType<typeof startPostgres> | undefined;
  const desk = createServer((_request, response) => {
    postgres ??= startPostgres();
    postgres.then(
      ({ connectionString }) => response.end(connectionString),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, '127.0.0.1', resolve));
  desk.unref();
  process.env.NODELEDGER_TEST_DESK = `http://127.0.0.1:${(desk.address() as AddressInfo).port}/`;
  (globalThis as Run).stopTestPostgres = async () => {
    desk.closeAllConnections();
    desk.close();
    await postgres?.then(
      ({ stop }) => stop(),
      () => undefined,
    );
  };
}
