import { resolve } from 'node:path';
import type { Settings } from '#config';
import {
  Database,
  databaseErrorCode,
  EmbeddedPostgres,
  Generations,
  type ListedGeneration,
  migrateControlTables,
} from '#database';
import { Fault, isFault } from '#fault';

export interface Store {
  readonly db: Database;
  readonly connectionString: string;
  readonly live: ListedGeneration;
  /** Resolves when PostgreSQL has ended unexpectedly. Never resolves if this program cannot detect that. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** `close` stops the server only if this program has started it. */
export interface Server {
  readonly connectionString: string;
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** A replay needs six connections, and reading the status needs one. */
const connections = 8;
const undefinedTable = '42P01';

/** Throws `cli.no-store` if there is no database, and the faults of `EmbeddedPostgres` and `migrateControlTables`. */
export async function openStore(settings: Readonly<Settings>, say: (text: string) => void): Promise<Store> {
  const server = await openServer(settings, say);
  const { connectionString, ended } = server;
  const db = new Database({
    connectionString,
    max: connections,
    applicationName: 'nodeledger maintenance',
    statementTimeoutMs: 0,
  });
  const close = async (): Promise<void> => {
    await db.close();
    await server.close();
  };
  try {
    const generations = new Generations(db);
    await generations.list().catch((error: unknown) => {
      if (databaseErrorCode(error) !== undefinedTable) throw error;
      throw noStore('the database has no data of nodeledger');
    });
    await migrateControlTables(connectionString);
    const live = (await generations.list()).find(({ state }) => state === 'live');
    if (live === undefined) throw noStore('the database holds no read tables yet');
    return { db, connectionString, live, ended, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Starts the embedded PostgreSQL if it does not run. If the data directory has no database, creates one if `missing` is
 * `make`, and otherwise throws `cli.no-store`. Does nothing with an external PostgreSQL.
 */
export async function openServer(
  settings: Readonly<Settings>,
  say: (text: string) => void,
  missing: 'refuse' | 'make' = 'refuse',
): Promise<Server> {
  if (settings.databaseUrl !== undefined) {
    const never = new Promise<void>(() => undefined);
    return { connectionString: settings.databaseUrl, ended: never, close: async () => undefined };
  }
  const dataDir = resolve(settings.dataDir);
  const running = await runningServer(dataDir);
  if (running !== undefined) return running;
  const exists = await EmbeddedPostgres.exists(dataDir);
  if (!exists && missing === 'refuse') throw noStore(`there is no database in ${dataDir}`);
  if (exists) say(`no service runs on ${dataDir}: starting its PostgreSQL for this command`);
  try {
    const { connectionString, ended, stop } = await startServer(dataDir, say);
    return { connectionString, ended, close: stop };
  } catch (error) {
    // A service may have started the server in the meantime.
    if (!isFault(error) || error.code !== 'database.in-use') throw error;
    const started = await runningServer(dataDir);
    if (started === undefined) throw error;
    return started;
  }
}

async function runningServer(dataDir: string): Promise<Server | undefined> {
  const running = await EmbeddedPostgres.running(dataDir);
  if (running === undefined) return undefined;
  return { connectionString: running.connectionString, ended: running.ended, close: async () => undefined };
}

async function startServer(
  dataDir: string,
  say: (text: string) => void,
): Promise<{ connectionString: string; ended: Promise<void>; stop: () => Promise<void> }> {
  const server = await EmbeddedPostgres.start({ dataDir, log: say });
  let stopping = false;
  return {
    connectionString: server.connectionString,
    ended: server.ended.then(() => (stopping ? new Promise<void>(() => undefined) : undefined)),
    stop: () => {
      stopping = true;
      return server.stop();
    },
  };
}

const noStore = (message: string): Fault =>
  new Fault('missing', 'cli.no-store', message, {
    hint: "Name the service's data directory (--data-dir, NODELEDGER_DATA_DIR) or its PostgreSQL (DATABASE_URL); a new service has to be started once.",
  });
