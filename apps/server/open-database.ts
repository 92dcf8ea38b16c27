import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { hidePassword, type Settings } from '#config';
import { EmbeddedPostgres } from '#database';
import type { Log } from '#observe';
import { replayPool } from './own-replay';
import { poolPerThread } from './projector-messages';
import { defaultProjectorThreads } from './projector-threads';
import { mostReplayThreads } from './threaded-replays';

interface OpenDatabase {
  readonly connectionString: string;
  /** Location of the data, for people. */
  readonly location: string;
  /** Resolves when the embedded PostgreSQL has ended for any reason; never for another PostgreSQL. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/**
 * Connections besides the pools and the projectors: look-ups, listeners, cancellation, migrations and a person with
 * psql.
 */
const furtherConnections = 30;
/** Connections of a pool's owner: its listener and cancellation. */
const connectionsBesidePool = 3;
const connectionsPerProjector = poolPerThread + connectionsBesidePool;
/** Connections of a rebuild beside the service: its main thread and its other threads. */
const replayConnections = (mostReplayThreads + 1) * (replayPool + connectionsBesidePool);

/** Describes the data directory, and the location of the database if its user cannot enter that. */
const placeOf = (dataDir: string, location: string): string =>
  location.startsWith(dataDir + sep)
    ? `${dataDir} (embedded PostgreSQL)`
    : `${dataDir} (embedded PostgreSQL, in ${location}, because its user cannot enter ${dataDir})`;

function mostConnections({
  readPoolSize,
  writePoolSize,
  projectorThreads = defaultProjectorThreads(),
}: Settings): number {
  return (
    readPoolSize + writePoolSize + projectorThreads * connectionsPerProjector + replayConnections + furtherConnections
  );
}

/**
 * Opens the PostgreSQL server of DATABASE_URL, or starts the embedded one. Calls `printLine` with a line before each
 * slow step.
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
