/** Ends a PostgreSQL that a killed service left behind; refuses where a live service owns it. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { Fault } from '#fault';
import { databaseErrorCode } from '../retriable';
import { errorCode } from './error-code';
import { inUse, maintenanceClient, ownerOf } from './ownership';
import type { Place } from './place';
import { commandLineOf, isAlive } from './processes';

/** How long a killed service's connection may take to go, and a server to come up, recover or go down. */
const goneMs = 3_000;
const answerMs = 60_000;
const stopMs = 60_000;

interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

export async function endOrphan(
  place: Place,
  user: string,
  password: string,
  log: (line: string) => void,
): Promise<void> {
  const file = join(place.cluster, 'postmaster.pid');
  const running = await postmasterOf(file);
  if (running === undefined) return;
  if (!(await isServerOf(place, running.pid))) {
    // The number was given to another process since, and PostgreSQL would refuse to start because of it.
    await rm(file, { force: true });
    return;
  }
  const client = await reach(place, { ...running, user, password });
  if (client !== undefined) {
    try {
      await refuseIfOwned(client, place.dataDir);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  log(`ending the PostgreSQL (process ${running.pid}) that a stopped service left on ${place.cluster}`);
  await endServer(running.pid);
}

/** Fast shutdown; after a long time an immediate one, from which the next start recovers. */
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
    hint: `Look at why process ${pid} hangs (its disk?), end it, then start again.`,
  });
}

async function ended(pid: number, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; isAlive(pid); await delay(20)) {
    if (Date.now() > deadline) return false;
  }
  return true;
}

async function postmasterOf(file: string): Promise<Postmaster | undefined> {
  try {
    const lines = (await readFile(file, 'utf8')).split('\n');
    return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function isServerOf(place: Place, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return false;
  const line = await commandLineOf(pid);
  return line !== undefined && line.includes('postgres') && line.includes(place.cluster);
}

/** A connection to the running server, once it answers; undefined where it went away meanwhile. */
async function reach(
  place: Place,
  server: Postmaster & { readonly user: string; readonly password: string },
): Promise<Client | undefined> {
  for (const deadline = Date.now() + answerMs; isAlive(server.pid); await delay(100)) {
    try {
      return await maintenanceClient(server);
    } catch (error) {
      const code = databaseErrorCode(error);
      if (code === '28P01') {
        throw new Fault(
          'broken',
          'database.password-lost',
          `${place.passwordFile} does not hold the password of the PostgreSQL that runs on ${place.cluster}`,
          {
            hint: `Bring the file back, or stop that PostgreSQL (process ${server.pid}) and start again.`,
            cause: error,
          },
        );
      }
      // It listens to nobody yet, or no longer: starting, recovering, shutting down.
      if (Date.now() > deadline) return undefined;
    }
  }
  return undefined;
}

async function refuseIfOwned(client: Client, dataDir: string): Promise<void> {
  for (const deadline = Date.now() + goneMs; ; await delay(50)) {
    const owner = await ownerOf(client);
    if (owner === undefined) return;
    if (isAlive(owner) || Date.now() > deadline) throw inUse(dataDir, owner);
  }
}
