/** Stops a PostgreSQL that a killed service left running. Throws `database.in-use` if a running service owns it. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { Fault } from '#fault';
import { errorCode } from './error-code';
import { inUse, ownerOf } from './ownership';
import type { ClusterPaths } from './cluster-paths';
import { isServerOf, postmasterOf, reachServer } from './postmaster';
import { isAlive } from './processes';

/** Milliseconds until the server has noticed that the connection of a killed service has ended. */
const goneMs = 3_000;
const stopMs = 60_000;

export async function stopOrphanedServer(
  paths: ClusterPaths,
  user: string,
  password: string,
  log: (line: string) => void,
): Promise<void> {
  const file = join(paths.cluster, 'postmaster.pid');
  const running = await postmasterOf(file);
  if (running === undefined) return;
  if (!(await isServerOf(paths.cluster, running.pid))) {
    // The process id now belongs to another process. Deletes the file, because PostgreSQL would otherwise refuse to
    // start.
    await rm(file, { force: true });
    return;
  }
  const client = await reachServer(paths, { ...running, user, password });
  if (client !== undefined) {
    try {
      await refuseIfOwned(client, paths.dataDir);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  log(`ending the PostgreSQL (process ${running.pid}) that a stopped service left running on ${paths.cluster}`);
  await endServer(running.pid);
}

/**
 * Ends the server with a fast shutdown. If it still runs after a minute, uses an immediate shutdown. Throws
 * `database.orphan`.
 */
export async function endServer(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (errorCode(error) === 'ESRCH') return;
      throw new Fault(
        'broken',
        'database.orphan',
        `PostgreSQL (process ${pid}) cannot be stopped: ${(error as Error).message}`,
        {
          hint: `Stop process ${pid} as the user that it belongs to, then start again.`,
          cause: error,
        },
      );
    }
    if (await ended(pid, stopMs)) return;
  }
  throw new Fault('broken', 'database.orphan', `PostgreSQL (process ${pid}) does not stop`, {
    hint: `Find out why process ${pid} hangs (its disk?), end it, then start again.`,
  });
}

async function ended(pid: number, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; isAlive(pid); await delay(20)) {
    if (Date.now() > deadline) return false;
  }
  return true;
}

async function refuseIfOwned(client: Client, dataDir: string): Promise<void> {
  for (const deadline = Date.now() + goneMs; ; await delay(50)) {
    const owner = await ownerOf(client);
    if (owner === undefined) return;
    if (isAlive(owner) || Date.now() > deadline) throw inUse(dataDir, owner);
  }
}
