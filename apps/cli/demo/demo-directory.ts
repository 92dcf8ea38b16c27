/**
 * The data directory of a demo: a temporary one that is removed at the end, or one that the user names and that is kept. A
 * file in it says that it is a demo's, so that no demo submits its fleet into other data, and which process uses it, so that the
 * next demo can remove what a killed one left.
 */
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { EmbeddedPostgres, isRunning, ownMark, type ProcessMark } from '#database';
import { Fault } from '#fault';

const prefix = 'nodeledger-demo-';
const markFile = 'demo.json';

/** What the file says. */
interface Mark {
  /** When the demo first began: the times of its history are relative to this, ISO 8601. */
  readonly created: string;
  readonly nodes: number;
  /** Whether the whole history has been submitted. */
  readonly isLoaded: boolean;
  readonly process: ProcessMark;
  /** The machine, or container, of the process. */
  readonly host: string;
}

export class DemoDirectory {
  private constructor(
    readonly path: string,
    readonly isKept: boolean,
    private mark: Mark,
  ) {}

  /** A temporary directory. Faults: `demo.directory`. */
  static async temporary(nodes: number): Promise<DemoDirectory> {
    return withFault(tmpdir(), async () => {
      const path = await mkdtemp(join(tmpdir(), prefix));
      const demo = new DemoDirectory(path, false, await newMark(nodes));
      // The account that runs PostgreSQL for root has to get through to its own folder, and sees nothing else.
      if (process.getuid?.() === 0) await chmod(path, 0o711);
      await demo.write();
      return demo;
    });
  }

  /** A directory that is empty, does not exist, or is an earlier demo's. Faults: `demo.directory`. */
  static async named(name: string, nodes: number): Promise<DemoDirectory> {
    const path = resolve(name);
    return withFault(path, async () => {
      await mkdir(path, { recursive: true });
      if (process.getuid?.() === 0) await chmod(path, 0o711);
      const earlier = await readMark(path);
      if (earlier === undefined && (await readdir(path)).length > 0) {
        throw new Fault('conflict', 'demo.directory', `${path} is not empty, and not the directory of a demo`, {
          hint: 'Name an empty directory with --data, so that the simulated fleet is not mixed with other data.',
        });
      }
      const fresh = await newMark(nodes);
      const mark = earlier === undefined ? fresh : { ...fresh, ...earlier, process: fresh.process, host: fresh.host };
      const demo = new DemoDirectory(path, true, mark);
      // Who else runs a demo there is found by the database's own lock, before anything is written.
      if (earlier === undefined) await demo.write();
      return demo;
    });
  }

  get created(): Date {
    return new Date(this.mark.created);
  }

  get nodes(): number {
    return this.mark.nodes;
  }

  get isLoaded(): boolean {
    return this.mark.isLoaded;
  }

  async loaded(): Promise<void> {
    this.mark = { ...this.mark, isLoaded: true };
    await this.write();
  }

  /** Removes a temporary directory, with what is in it. */
  async close(): Promise<void> {
    if (!this.isKept) await EmbeddedPostgres.discard(this.path);
  }

  private async write(): Promise<void> {
    const file = join(this.path, markFile);
    await writeFile(`${file}.new`, `${JSON.stringify(this.mark)}\n`);
    await rename(`${file}.new`, file);
  }
}

/**
 * Removes the temporary directories of demos of this user on this machine that were killed, and ends their PostgreSQL. Gives
 * those that it removed.
 */
export async function removeLeftDemos(): Promise<string[]> {
  const removed: string[] = [];
  const names = await readdir(tmpdir()).catch((): string[] => []);
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(tmpdir(), name);
    try {
      if (process.getuid !== undefined && (await stat(path)).uid !== process.getuid()) continue;
      const mark = await readMark(path);
      if (mark === undefined || mark.host !== hostname() || (await isRunning(mark.process))) continue;
      await EmbeddedPostgres.discard(path);
      removed.push(path);
    } catch {
      // Another demo removes it at the same time, or it is not to be removed: this demo has a directory of its own.
    }
  }
  return removed;
}

const newMark = async (nodes: number): Promise<Mark> => ({
  created: new Date().toISOString(),
  nodes,
  isLoaded: false,
  process: await ownMark(),
  host: hostname(),
});

/** Undefined where there is none, or not a whole one. */
async function readMark(path: string): Promise<Mark | undefined> {
  try {
    const { created, nodes, isLoaded, process, host } = JSON.parse(
      await readFile(join(path, markFile), 'utf8'),
    ) as Partial<Mark>;
    if (typeof nodes !== 'number' || typeof process?.pid !== 'number' || typeof host !== 'string') return undefined;
    if (typeof created !== 'string' || Number.isNaN(Date.parse(created))) return undefined;
    return { created, nodes, isLoaded: isLoaded === true, process, host };
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function withFault<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof Fault || code === undefined) throw error;
    throw new Fault('broken', 'demo.directory', `the demo cannot use ${path}: ${message}`, {
      hint: 'Name a directory on a disk with 500 MB of free space: --data DIR.',
      cause: error,
    });
  }
}
