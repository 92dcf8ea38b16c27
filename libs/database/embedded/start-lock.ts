import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { isRunning, ownMark } from './processes';

const retryMs = 100;
const patienceMs = 120_000;

/**
 * Lets one process at a time prepare a data directory. Later, the lock in the database refuses other services. Returns
 * the release. Fault `database.in-use`.
 * Each starter writes a file with a unique name, and then looks for the files of others. If it finds the file of a
 * running process, it removes its own file and tries again. Both of two starters write before they look, so they cannot
 * both continue. A starter that removes the file of a dead process never removes another one, because no name is used
 * twice.
 */
export async function takeStartLock(path: string): Promise<() => Promise<void>> {
  const { pid, startedAt = '' } = await ownMark();
  const own = `${path}.${pid}-${startedAt}-${randomBytes(6).toString('hex')}`;
  const release = (): Promise<void> => rm(own, { force: true });
  for (const deadline = Date.now() + patienceMs; ;) {
    await writeFile(own, '', { mode: 0o600 });
    let other: number | undefined;
    try {
      other = await otherStarter(path, own);
    } catch (error) {
      await release();
      throw error;
    }
    if (other === undefined) return release;
    await release();
    if (Date.now() > deadline) {
      throw new Fault('conflict', 'database.in-use', `another service (process ${other}) is starting on ${path}`, {
        hint: `Wait for it or stop it. If no such service runs, remove ${path}.*.`,
      });
    }
    // Two starters that withdrew because of each other must retry at different times.
    await delay(retryMs * (0.5 + Math.random()));
  }
}

/** Returns the process id of another starter, and removes the files of processes that have ended. */
async function otherStarter(path: string, own: string): Promise<number | undefined> {
  for (const name of await readdir(dirname(path))) {
    const file = join(dirname(path), name);
    if (!name.startsWith(`${basename(path)}.`) || file === own) continue;
    const [, pid, startedAt] = /\.(\d+)-(\d*)-[0-9a-f]+$/.exec(name) ?? [];
    if (pid === undefined) continue;
    if (await isRunning({ pid: Number(pid), startedAt: startedAt || undefined })) return Number(pid);
    await rm(file, { force: true }).catch((cause: NodeJS.ErrnoException) => {
      throw new Fault('broken', 'database.data-dir', `${file} cannot be removed: ${cause.message}`, {
        hint: 'It has the name of a file that a starting service writes. Move it away.',
        cause,
      });
    });
  }
  return undefined;
}
