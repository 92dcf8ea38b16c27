import { randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { isRunning, ownMark } from './processes';

const retryMs = 100;
const patienceMs = 120_000;

/**
 * Lets one process at a time prepare a data directory. Throws `database.in-use` after two minutes. Each process writes
 * a file with a unique name before it looks for files of running processes, so two processes cannot both continue. The
 * file of a dead process can be deleted safely, because no name is used twice.
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
    // The time is random, so that two processes that found each other's files do not retry at the same time.
    await delay(retryMs * (0.5 + Math.random()));
  }
}

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
