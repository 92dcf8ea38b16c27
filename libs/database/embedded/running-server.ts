/** Finds the PostgreSQL that a running service uses for a data directory, so that another program can connect to it. */
import { access, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { Fault } from '#fault';
import { databaseName } from './cluster';
import { errorCode } from './error-code';
import { ownerOf } from './ownership';
import { isServerOf, postmasterOf, reachServer } from './postmaster';
import { isAlive } from './processes';
import { socketParameter } from './socket';

export interface RunningServer {
  readonly connectionString: string;
  readonly location: string;
  readonly owner: number;
  /** Resolves when the server has ended. Waiting for it does not keep this process running. */
  readonly ended: Promise<void>;
}

/**
 * Milliseconds. If the connection that holds the owner lock breaks, a running service takes the lock again within
 * `ownAgainMs`. The connection of a killed service ends within `goneMs`.
 */
const ownAgainMs = 1_500;
const goneMs = 3_000;
const lookMs = 250;

export async function hasCluster(dataDir: string): Promise<boolean> {
  return access(join(dataDir, 'postgres', 'cluster', 'PG_VERSION')).then(
    () => true,
    // Returns true if the cluster exists but this user is not allowed to read it.
    (error: unknown) => errorCode(error) === 'EACCES',
  );
}

/** Throws `database.not-readable` or `database.password-lost`. */
export async function runningServer(dataDir: string): Promise<RunningServer | undefined> {
  const passwordFile = join(dataDir, 'postgres.password');
  try {
    const location = await realpath(join(dataDir, 'postgres'));
    const cluster = join(location, 'cluster');
    const server = await postmasterOf(join(cluster, 'postmaster.pid'));
    if (server === undefined || !(await isServerOf(cluster, server.pid))) return undefined;
    const password = (await readFile(passwordFile, 'utf8')).trim();
    const client = await reachServer({ cluster, passwordFile }, { ...server, user: databaseName, password });
    if (client === undefined) return undefined;
    const owner = await liveOwner(client).finally(() => client.end().catch(() => undefined));
    if (owner === undefined) return undefined;
    return {
      connectionString: `postgresql://${databaseName}:${password}@127.0.0.1:${server.port}/${databaseName}${socketParameter(location)}`,
      location,
      owner,
      ended: untilGone(server.pid),
    };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code !== 'EACCES') throw error;
    throw new Fault(
      'forbidden',
      'database.not-readable',
      `the database in ${dataDir} belongs to another user: ${(error as Error).message}`,
      { hint: 'Run this as the user that runs the service, or as root.', cause: error },
    );
  }
}

async function liveOwner(client: Client): Promise<number | undefined> {
  const began = Date.now();
  for (;;) {
    const owner = await ownerOf(client);
    if (owner === undefined && Date.now() - began > ownAgainMs) return undefined;
    if (owner !== undefined && (owner === 0 || isAlive(owner) || Date.now() - began > goneMs)) return owner;
    await delay(50);
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await delay(lookMs, undefined, { ref: false });
}
