import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { hidePassword, type Settings } from '#config';
import { EmbeddedPostgres } from '#database';
import type { Log } from '#observe';
import { questions } from './database-probe';
import { ownPools } from './own-pools';
import { replayPool } from './own-replay';
import { poolPerThread } from './projector-messages';
import { defaultProjectorThreads } from './projector-threads';
import { mostReplayThreads } from './threaded-replays';

interface OpenDatabase {
  readonly connectionString: string;
  /** Location of the data, as shown to operators. */
  readonly location: string;
  /** Resolves when the embedded PostgreSQL has ended for any reason. Never resolves for an external PostgreSQL. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Number of connections for migrations, backups, and an operator with psql. */
const furtherConnections = 10;
/** Number of connections that each `Database` opens outside of its pool, for its listener and for cancellation. */
const connectionsBesidePool = 3;
/**
 * Number of connections that do not depend on settings. These are the connections in pools with a fixed size, and the
 * connections outside of pools. Settings determine the size of the pools for queries and commands, so these two pools
 * are not included.
 */
const ownConnections =
  Object.values(ownPools).reduce<number>((sum, size) => sum + size + connectionsBesidePool, 0) +
  questions.length +
  2 * connectionsBesidePool;
const connectionsPerProjector = poolPerThread + connectionsBesidePool;
/** Number of connections for a rebuild while the service runs: for its main thread and its replay threads. */
const replayConnections = (mostReplayThreads + 1) * (replayPool + connectionsBesidePool);

/**
 * Describes the location of the data. Usually, the database is in the data directory. If PostgreSQL's user cannot enter
 * the data directory, the database is elsewhere, and the text also contains its location.
 */
const placeOf = (dataDir: string, location: string): string =>
  location.startsWith(dataDir + sep)
    ? `${dataDir} (embedded PostgreSQL)`
    : `${dataDir} (embedded PostgreSQL, in ${location}, because its user cannot enter ${dataDir})`;

/** Returns the largest number of connections of a service with these settings. */
export function mostConnections({
  readPoolSize,
  writePoolSize,
  projectorThreads = defaultProjectorThreads(),
}: Pick<Settings, 'readPoolSize' | 'writePoolSize' | 'projectorThreads'>): number {
  const projectors = projectorThreads * connectionsPerProjector;
  return readPoolSize + writePoolSize + ownConnections + projectors + replayConnections + furtherConnections;
}

/**
 * Connects to the PostgreSQL server of DATABASE_URL, or starts the embedded PostgreSQL. Calls `printLine` with a
 * message before each slow step.
 */
export async function openDatabase(
  settings: Readonly<Settings>,
  log: Log,
  printLine: (line: string) => void,
): Promise<OpenDatabase> {
  if (settings.databaseUrl !== undefined) {
    const { databaseUrl } = settings;
    printLine(`connecting to PostgreSQL at ${hidePassword(databaseUrl)}`);
    return {
      connectionString: databaseUrl,
      location: hidePassword(databaseUrl),
      ended: new Promise(() => undefined),
      close: async () => undefined,
    };
  }
  const dataDir = resolve(settings.dataDir);
  const isFirst = !(await EmbeddedPostgres.exists(dataDir));
  printLine(`${isFirst ? 'creating a database' : 'starting the embedded PostgreSQL'} in ${dataDir}`);
  const server = await EmbeddedPostgres.start({
    dataDir,
    log: (line) => log.info(line),
    settings: { max_connections: String(mostConnections(settings)) },
  });
  return {
    connectionString: server.connectionString,
    location: placeOf(await realpath(settings.dataDir), server.location),
    ended: server.ended,
    close: () => server.stop(),
  };
}
