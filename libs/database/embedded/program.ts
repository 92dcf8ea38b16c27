import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { Fault } from '#fault';
import type { Account } from './account';

interface ProgramOptions {
  readonly account?: Account | undefined;
  readonly cwd: string;
  readonly stdio?: StdioOptions;
}

/**
 * The environment of the programs. It contains no locale, no PG* settings and no secrets from the environment of the
 * service.
 */
const environment = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

/** Starts the program in a separate process group, so that Ctrl-C on the terminal does not stop it. */
export function startProgram(
  path: string,
  args: readonly string[],
  { account, cwd, stdio }: ProgramOptions,
): ChildProcess {
  return spawn(path, args, {
    cwd,
    env: environment,
    detached: true,
    stdio: stdio ?? ['ignore', 'pipe', 'pipe'],
    ...(account !== undefined && { uid: account.uid, gid: account.gid }),
  });
}

/** Throws `database.program` if the program fails. */
export async function runProgram(
  path: string,
  args: readonly string[],
  options: ProgramOptions,
  input?: string,
): Promise<void> {
  const child = startProgram(path, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  const listen = (chunk: Buffer): void => {
    said = (said + chunk.toString('utf8')).slice(-4000);
  };
  child.stdout?.on('data', listen);
  child.stderr?.on('data', listen);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const end = await new Promise<{ failure?: Error; code?: number | null; signal?: NodeJS.Signals | null }>(
    (resolve) => {
      child.once('error', (failure) => resolve({ failure }));
      child.once('close', (code, signal) => resolve({ code, signal }));
    },
  );
  if (end.code === 0) return;
  throw new Fault(
    'broken',
    'database.program',
    `${path} failed: ${end.failure?.message ?? (said.trim() || `exit ${end.code ?? end.signal}`)}`,
    {
      hint: hintFor(end.failure?.message ?? said),
      cause: end.failure,
    },
  );
}

export function hintFor(said: string): string {
  if (/No space left|ENOSPC/.test(said)) {
    return 'Free disk space, or name a data directory on a larger disk: NODELEDGER_DATA_DIR, or --data of a demo.';
  }
  if (/ENOENT|cannot execute|error while loading shared libraries|GLIBC/.test(said)) {
    return "PostgreSQL's programs do not run on this system (they need glibc); set DATABASE_URL to a PostgreSQL of your own.";
  }
  if (/[Pp]ermission denied|EACCES|EPERM|Read-only file system/.test(said)) {
    return 'Check who owns the data directory, that its folders can be entered, and that its disk is writable.';
  }
  if (/could not create shared memory|Cannot allocate memory|out of memory/i.test(said)) {
    return 'Give the machine or container more memory.';
  }
  if (/EEXIST|ENOTDIR/.test(said))
    return 'This path, or a part of it, is a file. Name a directory: NODELEDGER_DATA_DIR.';
  return 'To use a PostgreSQL of your own, set DATABASE_URL.';
}
