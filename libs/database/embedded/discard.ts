import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from './error-code';
import { endServer } from './orphan';
import { inUse } from './ownership';
import { isServerOf, postmasterOf } from './postmaster';
import { runningServer } from './running-server';

/**
 * Deletes the data directory. First stops the server if a killed service left it running. Throws `database.in-use` if a
 * service uses the directory.
 */
export async function discardDataDir(dataDir: string): Promise<void> {
  const live = await runningServer(dataDir);
  if (live !== undefined) throw inUse(dataDir, live.owner);
  const location = await realpath(join(dataDir, 'postgres')).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (location !== undefined) {
    const cluster = join(location, 'cluster');
    const server = await postmasterOf(join(cluster, 'postmaster.pid'));
    if (server !== undefined && (await isServerOf(cluster, server.pid))) await endServer(server.pid);
  }
  // Retries the deletion, because a server or initdb that has just ended can still be writing its last files.
  for (const path of [location, dataDir])
    if (path !== undefined) await rm(path, { recursive: true, force: true, maxRetries: 10 });
}
