import { randomBytes, randomUUID } from 'node:crypto';
import { access, chown, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '#fault';
import type { Account } from './account';
import type { Binaries } from './binaries';
import { errorCode } from './error-code';
import type { ClusterPaths } from './cluster-paths';
import { runProgram } from './program';

export const databaseName = 'nodeledger';

const unfinishedPrefix = 'cluster.new-';

/** Allows only connections from this machine, and only with the password. */
const hostRules = 'local all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n';

/**
 * Creates the cluster if it does not exist, and returns the password of the superuser. If a crash interrupts this
 * function, only a temporary folder remains, which the next start deletes. Throws `database.other-version`,
 * `database.password-lost` or `database.program`.
 */
export async function prepareCluster(
  paths: ClusterPaths,
  binaries: Binaries,
  account: Account | undefined,
): Promise<string> {
  for (const entry of await readdir(paths.location)) {
    if (!entry.startsWith(unfinishedPrefix)) continue;
    // An initdb that a killed service has started can still be writing to the folder, so the deletion is retried.
    await rm(join(paths.location, entry), { recursive: true, force: true, maxRetries: 10 });
  }
  const version = await clusterVersion(paths.cluster);
  if (version === undefined) return makeCluster(paths, binaries, account);
  if (version !== binaries.major) {
    throw new Fault(
      'broken',
      'database.other-version',
      `${paths.cluster} was made by PostgreSQL ${version}, the installed programs are PostgreSQL ${binaries.major}`,
      {
        hint: `Start the release that came with PostgreSQL ${version}, export, and import into an empty data directory.`,
      },
    );
  }
  await writeFile(join(paths.cluster, 'pg_hba.conf'), hostRules);
  const password = await readFile(paths.passwordFile, 'utf8').catch(() => '');
  return password.trim() === '' ? newPassword(paths, binaries, account) : password.trim();
}

/**
 * Returns undefined if the cluster does not exist. Throws `database.data-dir` if the folder exists without PG_VERSION.
 */
async function clusterVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const present = await access(cluster).then(
    () => true,
    () => false,
  );
  if (!present) return undefined;
  throw new Fault(
    'broken',
    'database.data-dir',
    `${cluster} is not a PostgreSQL data directory: PG_VERSION is missing`,
    {
      hint: 'Restore the folder from a backup, or remove it to start with an empty database.',
    },
  );
}

async function makeCluster(paths: ClusterPaths, binaries: Binaries, account: Account | undefined): Promise<string> {
  const unfinished = join(paths.location, `${unfinishedPrefix}${randomUUID()}`);
  const password = await writePassword(paths);
  const passwordFile = `${unfinished}.password`;
  try {
    await writeFile(passwordFile, password, { mode: 0o600 });
    if (account !== undefined) await chown(passwordFile, account.uid, account.gid);
    await runProgram(
      join(binaries.folder, 'bin', 'initdb'),
      [
        `--pgdata=${unfinished}`,
        `--username=${databaseName}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        // Uses segments of 1 MB. PostgreSQL fills each new segment with zeros while appends wait. With the usual 16 MB,
        // this takes up to 0.1 s.
        '--wal-segsize=1',
      ],
      { account, cwd: paths.location },
    );
    await writeFile(join(unfinished, 'pg_hba.conf'), hostRules);
    await rename(unfinished, paths.cluster);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
  return password;
}

/** Throws `database.password-lost` if a server may be running. */
async function newPassword(paths: ClusterPaths, binaries: Binaries, account: Account | undefined): Promise<string> {
  const running = await access(join(paths.cluster, 'postmaster.pid')).then(
    () => true,
    () => false,
  );
  if (running) {
    throw new Fault(
      'broken',
      'database.password-lost',
      `${paths.passwordFile} is missing, and PostgreSQL may be running on ${paths.cluster}`,
      {
        hint: `Restore the file, or stop that PostgreSQL (its process ID is the first line of ${paths.cluster}/postmaster.pid) and start again.`,
      },
    );
  }
  const password = await writePassword(paths);
  await runProgram(
    join(binaries.folder, 'bin', 'postgres'),
    ['--single', '-D', paths.cluster, 'postgres'],
    { account, cwd: paths.location },
    // The password needs no quoting, because it has only letters, digits, `-` and `_`.
    `ALTER ROLE ${databaseName} PASSWORD '${password}'\n`,
  );
  return password;
}

async function writePassword(paths: ClusterPaths): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  const unfinished = `${paths.passwordFile}.new`;
  await writeFile(unfinished, `${password}\n`, { mode: 0o600 });
  await rename(unfinished, paths.passwordFile);
  return password;
}
