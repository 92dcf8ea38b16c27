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
  /** Location of the data as shown to operators. */
  readonly location: string;
  /** Resolves when the embedded PostgreSQL has ended for any reason. Never resolves for an external PostgreSQL. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Connections for migrations, for backups, and for an operator with psql. */
const furtherConnections = 10;
/** Each `Database` opens these connections outside of its pool, for its listener and for cancellation. */
const connectionsBesidePool = 3;
/** Excludes the pools for queries and commands, because settings determine their sizes. */
const ownConnections =
  Object.values(ownPools).reduce<number>((sum, size) => sum + size + connectionsBesidePool, 0) +
  questions.length +
  2 * connectionsBesidePool;
const connectionsPerProjector = poolPerThread + connectionsBesidePool;
/** Connections for a rebuild while the service runs: for its main thread and its replay threads. */
const replayConnections = (mostReplayThreads + 1) * (replayPool + connectionsBesidePool);

/** The database is outside of the data directory if PostgreSQL's user cannot enter this directory. */
const describeLocation = (dataDir: string, location: string): string =>
  location.startsWith(dataDir + sep)
    ? `${dataDir} (embedded PostgreSQL)`
    : `${dataDir} (embedded PostgreSQL, in ${location}, because its user cannot enter ${dataDir})`;

export function mostConnections({
  readPoolSize,
  writePoolSize,
  projectorThreads = defaultProjectorThreads(),
}: Pick<Settings, 'readPoolSize' | 'writePoolSize' | 'projectorThreads'>): number {
  const projectors = projectorThreads * connectionsPerProjector;
  return readPoolSize + writePoolSize + ownConnections + projectors + replayConnections + furtherConnections;
}

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
    location: describeLocation(await realpath(settings.dataDir), server.location),
    ended: server.ended,
    close: () => server.stop(),
  };
}
