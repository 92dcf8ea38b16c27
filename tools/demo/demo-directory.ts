import { chmod, mkdtemp, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres, isRunning, ownMark, type ProcessMark } from '#database';

const prefix = 'nodeledger-demo-';
const markFile = 'demo.json';

/** A later demo reads this file, and removes the directory if the process was killed. */
interface Mark {
  readonly process: ProcessMark;
  /** Machine or container. */
  readonly host: string;
}

export async function createDemoDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  // If root runs the demo, PostgreSQL runs under another account, which must be able to reach PostgreSQL's folder in
  // this directory.
  if (process.getuid?.() === 0) await chmod(path, 0o711);
  const mark: Mark = { process: await ownMark(), host: hostname() };
  await writeFile(join(path, markFile), `${JSON.stringify(mark)}\n`);
  return path;
}

/** Removes the directories of killed demos of this user on this machine, and ends their PostgreSQL servers. */
export async function removeLeftDemos(): Promise<string[]> {
  const removed: string[] = [];
  const names = await readdir(tmpdir()).catch((): string[] => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(tmpdir(), name);
    try {
      if (process.getuid !== undefined && (await stat(path)).uid !== process.getuid()) continue;
      const mark = JSON.parse(await readFile(join(path, markFile), 'utf8')) as Mark;
      if (mark.host !== hostname() || (await isRunning(mark.process))) continue;
      await EmbeddedPostgres.discard(path);
      removed.push(path);
    } catch {
      // Either the directory has no complete mark, or another demo is removing the directory. Both are harmless,
      // because this demo uses its own directory.
    }
  }
  return removed;
}
