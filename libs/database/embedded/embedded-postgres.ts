/** Runs a PostgreSQL on 127.0.0.1 for a data directory. Only one service can use a data directory. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { databaseAccount } from './account';
import { installedBinaries, usableBinaries } from './binaries';
import { databaseName, prepareCluster } from './cluster';
import { discardDataDir } from './discard';
import { stopOrphanedServer, endServer } from './orphan';
import { inUse, maintenanceClient, ownerOf, takeOwnership } from './ownership';
import { findClusterPaths, openDataDir, withDataDirFault, type ClusterPaths } from './cluster-paths';
import { hasCluster, runningServer, type RunningServer } from './running-server';
import { maxWalBytes, serverSettings } from './server-settings';
import { socketDirectory, socketParameter } from './socket';
import { startServer, type Server } from './server';
import { takeStartLock } from './start-lock';

interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  readonly settings?: Readonly<Record<string, string>>;
}

export class EmbeddedPostgres {
  readonly connectionString: string;
  /**
   * The folder of the cluster. It is outside of the data directory if the account of PostgreSQL cannot enter the data
   * directory.
   */
  readonly location: string;
  readonly ended: Promise<void>;
  private owner: Client;
  private stopping: Promise<void> | undefined;
  private readonly onExit = (): void => {
    // Only sends the signal, because an exiting process cannot wait.
    this.server.process.kill('SIGINT');
  };

  private constructor(
    paths: ClusterPaths,
    private readonly server: Server,
    private readonly password: string,
    private readonly log: (line: string) => void,
  ) {
    this.location = paths.location;
    this.connectionString = `postgresql://${databaseName}:${password}@127.0.0.1:${server.port}/${databaseName}${socketParameter(paths.location)}`;
    this.owner = server.client;
    this.ended = new Promise((resolve) => {
      server.process.once('exit', () => resolve());
      if (server.process.exitCode !== null || server.process.signalCode !== null) resolve();
    });
    void this.ended.then(() => {
      if (this.stopping === undefined) log(`PostgreSQL (process ${server.process.pid}) ended by itself`);
    });
    // The server and the owner's connection must not keep this process running.
    server.process.unref();
    process.once('exit', this.onExit);
    this.guard(server.client);
  }

  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const log = options.log ?? ((): void => undefined);
    const ours = await databaseAccount();
    const dataDir = await openDataDir(options.dataDir, ours);
    const release = await withDataDirFault(dataDir, () => takeStartLock(join(dataDir, 'postgres.starting')));
    try {
      const paths = await findClusterPaths(dataDir, ours);
      const { account } = paths;
      const binaries = await usableBinaries(await installedBinaries(), account, paths.copies);
      const password = await prepareCluster(paths, binaries, account);
      await stopOrphanedServer(paths, databaseName, password, log);
      const settings = {
        ...serverSettings,
        max_wal_size: `${Math.floor(maxWalBytes(await fileSystemBytes(paths.location), await dataBytes(paths.cluster)) / 2 ** 20)}MB`,
        unix_socket_directories: socketDirectory(paths.location) ?? '',
        ...options.settings,
      };
      const server = await startServer({ paths, binaries, account, settings, user: databaseName, password, log });
      try {
        if (!(await takeOwnership(server.client))) throw inUse(dataDir, (await ownerOf(server.client)) ?? 0);
        await makeDatabase(server.client);
      } catch (error) {
        await server.client.end().catch(() => undefined);
        await endServer(server.process.pid);
        throw error;
      }
      return new EmbeddedPostgres(paths, server, password, log);
    } finally {
      await release();
    }
  }

  static running(dataDir: string): Promise<RunningServer | undefined> {
    return runningServer(dataDir);
  }

  static exists(dataDir: string): Promise<boolean> {
    return hasCluster(dataDir);
  }

  static discard(dataDir: string): Promise<void> {
    return discardDataDir(dataDir);
  }

  /** The caller should close its connection pools first, because a fast shutdown breaks their connections. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async end(): Promise<void> {
    process.removeListener('exit', this.onExit);
    this.server.process.ref();
    await this.owner.end().catch(() => undefined);
    if (this.server.process.exitCode === null && this.server.process.signalCode === null) {
      await endServer(this.server.process.pid);
    }
    await this.ended;
  }

  private guard(client: Client): void {
    (client as Client & { unref(): void }).unref();
    client.once('end', () => {
      if (this.stopping === undefined) void this.ownAgain();
    });
  }

  private async ownAgain(): Promise<void> {
    while (this.stopping === undefined && this.server.process.exitCode === null) {
      await delay(500, undefined, { ref: false });
      try {
        const client = await maintenanceClient({ port: this.server.port, password: this.password, user: databaseName });
        if (!(await takeOwnership(client))) this.log('another service has taken the lock of this data directory');
        this.owner = client;
        return this.guard(client);
      } catch {
        continue;
      }
    }
  }
}

async function makeDatabase(client: Client): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
  if (rows.length === 0) await client.query(`CREATE DATABASE ${databaseName}`);
}

async function dataBytes(cluster: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(join(cluster, 'base'), { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) sum += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return sum;
}

async function fileSystemBytes(path: string): Promise<number> {
  const { blocks, bsize } = await statfs(path);
  return blocks * bsize;
}
