/**
 * Installs the Python packages of a requirements.txt into a virtual environment below node_modules/.cache. It is reused
 * until that file changes.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const caches = join(__dirname, '../../node_modules/.cache/python-packages');
const installMs = 240_000;

const canMakeOne = (python: string): boolean =>
  spawnSync(python, ['-c', 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 9))']).status === 0;
const systemPython = ['python3', '/usr/bin/python3'].find(canMakeOne);

/** Returns the reason why there can be no such environment, or undefined. */
export const missingPython =
  systemPython === undefined
    ? 'no python3 of version 3.9 or newer with venv is here (Debian: python3-venv)'
    : undefined;

/** Returns the path of a Python with the pinned packages of this file. Downloads them the first time. */
export async function pythonWith(requirements: string): Promise<string> {
  const cache = join(caches, basename(dirname(requirements)));
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(cache, digest);
  const python = join(folder, 'bin/python');
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return python;
  await rm(cache, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  const run = promisify(execFile);
  await run(systemPython ?? '', ['-m', 'venv', folder], { timeout: installMs });
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
  await run(python, ['-m', 'pip', 'install', ...quiet, '--no-deps', '-r', requirements], { timeout: installMs });
  await run(python, ['-m', 'pip', 'check'], { timeout: installMs });
  await writeFile(complete, '');
  return python;
}
