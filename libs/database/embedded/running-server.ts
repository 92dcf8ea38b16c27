/**
 * Takes a data directory; gives the PostgreSQL that a live service runs on it, for a program that works beside that
 * service. Starts nothing, ends nothing, changes nothing.
 */
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
  /** Of the service's database, with the password. */
  readonly connectionString: string;
  /** The folder that holds the cluster. */
  readonly location: string;
  /** The service that runs it. */
  readonly owner: number;
  /** Resolves when the server has ended. Does not keep a program running. */
  readonly ended: Promise<void>;
}

/** How long a service whose connection broke may take to own its server again, and a killed one's connection to go. */
const ownAgainMs = 1_500;
const goneMs = 3_000;
const lookMs = 250;

/** Whether a service has ever kept its database in this data directory. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return access(join(dataDir, 'postgres', 'cluster', 'PG_VERSION')).then(
    () => true,
    // A cluster that this user may not look into is there all the same.
    (error: unknown) => errorCode(error) === 'EACCES',
  );
}

/** Undefined where no service runs one. Faults: `database.not-readable` (forbidden), `database.password-lost`. */
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

/** The live service that owns the server. Undefined: what runs was left by a service that is gone. */
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
