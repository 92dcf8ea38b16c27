import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { errorCode } from './error-code';
import { isRunning, ownMark, type ProcessMark } from './processes';

const retryMs = 100;
const patienceMs = 120_000;

/**
 * Lets one process at a time prepare a data directory (the database's own lock takes over once it runs). A lock whose
 * process is gone is taken away. Returns the release.
 */
export async function takeStartLock(path: string): Promise<() => Promise<void>> {
  const mine = await ownMark();
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      const file = await open(path, 'wx', 0o600);
      try {
        await file.writeFile(JSON.stringify(mine));
      } finally {
        await file.close();
      }
      return () => rm(path, { force: true });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const holder = await holderOf(path);
    if (holder === 'gone') {
      await rm(path, { force: true });
      continue;
    }
    if (Date.now() > deadline) {
      throw new Fault(
        'conflict',
        'database.in-use',
        `another service (process ${holder?.pid ?? 'unknown'}) is starting on ${path}`,
        {
          hint: `Wait for it or stop it. If no such service runs, remove ${path}.`,
        },
      );
    }
    await delay(retryMs);
  }
}

async function holderOf(path: string): Promise<ProcessMark | 'gone' | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    throw error;
  }
  let holder: ProcessMark;
  try {
    holder = JSON.parse(text) as ProcessMark;
  } catch {
    // Being written just now, or cut off by a crash in that instant: the age decides.
    const age = Date.now() - (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
    return age > 5_000 ? 'gone' : undefined;
  }
  return (await isRunning(holder)) ? holder : 'gone';
}
