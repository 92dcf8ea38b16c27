/** Runs puppetboard as its users do: settings in a file, gunicorn, and a certificate or a token. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../support/free-ports';
import { type RunningProgram, startProgram } from './running-program';

export interface BoardOptions {
  /** A Python that has the packages of requirements.txt. */
  readonly python: string;
  /** Directory for its files, which is created. */
  readonly folder: string;
  /** Settings of puppetboard for the address of the database and its credential. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  readonly token?: string;
}

/** Enables all optional pages. puppetboard serves scripts and styles itself. */
const common = { SECRET_KEY: 'a-key-for-tests-only', ENABLE_CATALOG: true, ENABLE_CLASS: true, OFFLINE_MODE: true };

export async function startPuppetboard({ python, folder, settings, token }: BoardOptions): Promise<RunningProgram> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'settings.py');
  const lines = Object.entries({ ...common, ...settings }).map(([name, value]) => `${name} = ${literal(value)}\n`);
  await writeFile(file, lines.join(''));
  const [port = 0] = await freePorts(1);
  const server = ['-m', 'gunicorn', '--workers', '2', '--bind', `127.0.0.1:${port}`, '--worker-tmp-dir', folder];
  return startProgram({
    program: python,
    args: [...server, '--chdir', __dirname, 'wsgi:application'],
    cwd: folder,
    env: {
      PUPPETBOARD_SETTINGS: file,
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONWARNINGS: 'ignore',
      TZ: 'UTC',
      ...(token === undefined ? {} : { PUPPETDB_TOKEN: token }),
    },
    url: `http://127.0.0.1:${port}/status`,
  }).then((running) => ({ ...running, url: `http://127.0.0.1:${port}` }));
}

/** A JSON string is also a valid string of Python. */
const literal = (value: string | number | boolean): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
