/**
 * `<dataDir>/postgres` is the folder of the cluster, or a link to a folder below /var/lib/nodeledger if the account of
 * PostgreSQL cannot enter the data directory.
 */
import { randomUUID } from 'node:crypto';
import { chmod, chown, lstat, mkdir, realpath, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault, isFault } from '#fault';
import { canEnter, type Account } from './account';
import { errorCode } from './error-code';
import { hintFor } from './program';

export interface ClusterPaths {
  readonly dataDir: string;
  /**
   * The account that runs PostgreSQL: the owner of the existing cluster, or else the account that `databaseAccount`
   * returns. Undefined if this process can run PostgreSQL itself.
   */
  readonly account: Account | undefined;
  readonly location: string;
  readonly cluster: string;
  readonly passwordFile: string;
  readonly logFile: string;
  readonly copies: string;
}

const elsewhere = '/var/lib/nodeledger';

/** Throws `database.data-dir`. */
export async function openDataDir(dataDir: string, account: Account | undefined): Promise<string> {
  return withDataDirFault(dataDir, async () => {
    // The account of PostgreSQL must be able to enter the directory, but not to list it.
    await mkdir(dataDir, { recursive: true, mode: account === undefined ? 0o750 : 0o711 });
    return realpath(dataDir);
  });
}

/** Throws `database.data-dir`. */
export async function findClusterPaths(dataDir: string, account: Account | undefined): Promise<ClusterPaths> {
  const way = join(dataDir, 'postgres');
  return withDataDirFault(way, async () => {
    const present = await lstat(way).catch(() => undefined);
    if (present === undefined) await makeLocation(way, account);
    const location = await realpath(way).catch((error: unknown) => {
      throw new Fault('broken', 'database.data-dir', `${way} points to a folder that does not exist`, {
        hint: 'Restore the folder, or remove the link to start with an empty database.',
        cause: error,
      });
    });
    const runner = account === undefined ? undefined : await ownerOr(account, location);
    if (runner !== undefined && !(await canEnter(dirname(location), runner))) {
      throw new Fault('broken', 'database.data-dir', `the user ${runner.name} cannot get into ${location}`, {
        hint: `Move ${location} to a folder that ${runner.name} can enter and leave a link in its place.`,
      });
    }
    return {
      dataDir,
      account: runner,
      location,
      cluster: join(location, 'cluster'),
      passwordFile: join(dataDir, 'postgres.password'),
      logFile: join(dataDir, 'postgres.log'),
      copies: account === undefined ? join(dataDir, 'postgres-programs') : join(elsewhere, 'programs'),
    };
  });
}

/**
 * Returns the owner of an existing cluster. If root has copied the cluster, it belongs to root, and the account becomes
 * its new owner.
 */
async function ownerOr(account: Account, location: string): Promise<Account> {
  const { uid, gid } = await stat(location);
  if (uid === account.uid) return account;
  if (uid !== 0) return { name: `with number ${uid}`, uid, gid };
  await chown(location, account.uid, account.gid);
  return account;
}

async function makeLocation(way: string, account: Account | undefined): Promise<void> {
  if (account === undefined || (await canEnter(dirname(way), account))) {
    await mkdir(way, { mode: 0o700 });
    if (account !== undefined) await chown(way, account.uid, account.gid);
    return;
  }
  const location = join(elsewhere, randomUUID());
  await mkdir(elsewhere, { recursive: true, mode: 0o755 });
  await chmod(elsewhere, 0o755);
  await mkdir(location, { mode: 0o700 });
  await writeFile(join(location, 'belongs-to'), `${way}\n`);
  await chown(location, account.uid, account.gid);
  await symlink(location, way);
}

export async function withDataDirFault<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined || isFault(error)) throw error;
    const said = (error as Error).message;
    throw new Fault('broken', 'database.data-dir', `${path} cannot be prepared: ${said}`, {
      hint: hintFor(said),
      cause: error,
    });
  }
}
