import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { Fault } from '#fault';
import { databaseErrorCode } from '../retriable';
import { errorCode } from './error-code';
import { maintenanceClient } from './ownership';
import type { ClusterPaths } from './cluster-paths';
import { commandLineOf, isAlive } from './processes';

const answerMs = 60_000;

interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/**
 * Reads the process id and the port in postmaster.pid. Returns undefined if the file does not exist. The file can also
 * exist without a server, because a killed server does not delete it.
 */
export async function postmasterOf(file: string): Promise<Postmaster | undefined> {
  try {
    const lines = (await readFile(file, 'utf8')).split('\n');
    return { pid: Math.abs(Number(lines[0])), port: Number(lines[3]) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Returns whether the process is a server of the cluster. Its command line must name the cluster, because another
 * process may have got the process id of a server that has ended.
 */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return false;
  const line = await commandLineOf(pid);
  return line !== undefined && line.includes('postgres') && line.includes(cluster);
}

/**
 * Connects to a server. Returns undefined if the server ends or does not answer in time. Throws
 * `database.password-lost`.
 */
export async function reachServer(
  { cluster, passwordFile }: Pick<ClusterPaths, 'cluster' | 'passwordFile'>,
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
          `${passwordFile} does not hold the password of the PostgreSQL that runs on ${cluster}`,
          {
            hint: `Restore the file, or stop that PostgreSQL (process ${server.pid}) and start again.`,
            cause: error,
          },
        );
      }
      // A server accepts no connections while it starts, recovers or shuts down.
      if (Date.now() > deadline) return undefined;
    }
  }
  return undefined;
}
