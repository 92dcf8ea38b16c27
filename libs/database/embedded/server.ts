import type { ChildProcess } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { Fault } from '#fault';
import { databaseErrorCode } from '../retriable';
import type { Account } from './account';
import type { Binaries } from './binaries';
import { maintenanceClient } from './ownership';
import type { ClusterPaths } from './cluster-paths';
import { hintFor, startProgram } from './program';
import { removeSockets } from './socket';

export interface ServerOptions {
  readonly paths: ClusterPaths;
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly settings: Readonly<Record<string, string>>;
  readonly user: string;
  readonly password: string;
  readonly log: (line: string) => void;
}

export interface Server {
  readonly process: ChildProcess & { readonly pid: number };
  readonly port: number;
  readonly client: Client;
}

const attempts = 5;
const largestLog = 10 << 20;
const pollMs = 30;
const sayWaitingMs = 10_000;

/**
 * Starts the server, and waits until it accepts connections. If it has to recover after a crash, the wait has no time
 * limit. Throws `database.start`.
 */
export async function startServer(options: ServerOptions): Promise<Server> {
  await turnLog(options.paths.logFile);
  await removeSockets(options.paths.location);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const began = (await stat(options.paths.logFile).catch(() => ({ size: 0 }))).size;
    const child = await launch(options, port);
    const client = await answered(options, child, port);
    if (client !== undefined) return { process: child, port, client };
    const said = (await readFile(options.paths.logFile)).subarray(began).toString('utf8').trim().slice(-2000);
    // These errors are temporary: another program has taken the port, or processes of a killed server still hold its
    // shared memory.
    const passing =
      /Address already in use|could not create any TCP\/IP sockets|shared memory block .* is still in use/.test(said);
    if (!passing || attempt === attempts) {
      throw new Fault('broken', 'database.start', `PostgreSQL did not start: ${said || 'it said nothing'}`, {
        hint: `${hintFor(said)} PostgreSQL's log is ${options.paths.logFile}.`,
      });
    }
    await delay(500);
  }
}

async function launch(options: ServerOptions, port: number): Promise<ChildProcess & { readonly pid: number }> {
  const { paths, binaries, account, settings } = options;
  const log = await open(paths.logFile, 'a', 0o640);
  try {
    const args = ['-D', paths.cluster, '-p', String(port)];
    for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
    const child = startProgram(join(binaries.folder, 'bin', 'postgres'), args, {
      account,
      cwd: paths.location,
      stdio: ['ignore', log.fd, log.fd],
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        const hint = hintFor(error.message);
        reject(
          new Fault('broken', 'database.start', `PostgreSQL cannot be run: ${error.message}`, { hint, cause: error }),
        );
      });
    });
    return child as ChildProcess & { readonly pid: number };
  } finally {
    await log.close();
  }
}

async function answered(options: ServerOptions, child: ChildProcess, port: number): Promise<Client | undefined> {
  const { user, password, log } = options;
  let sayAt = Date.now() + sayWaitingMs;
  while (child.exitCode === null && child.signalCode === null) {
    try {
      return await maintenanceClient({ port, user, password });
    } catch (error) {
      if (databaseErrorCode(error) === '28P01') {
        child.kill('SIGINT');
        throw new Fault(
          'broken',
          'database.password-lost',
          `${options.paths.passwordFile} does not hold the password of ${options.paths.cluster}`,
          {
            hint: 'Restore the file, or remove it to create a new password.',
            cause: error,
          },
        );
      }
    }
    if (Date.now() > sayAt) {
      log('PostgreSQL is still starting (recovering what the last run left)');
      sayAt = Date.now() + sayWaitingMs;
    }
    await delay(pollMs);
  }
  return undefined;
}

async function turnLog(path: string): Promise<void> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > largestLog) await rename(path, `${path}.1`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(address !== null && typeof address === 'object' ? address.port : 0));
    });
  });
}
