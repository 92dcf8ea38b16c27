/** Runs the built service (`npm run build`) as a process of its own, on a free port, over a data directory. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '../support/built';
import { ownEnvironment } from './own-environment';

const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;

export interface ServiceOptions {
  readonly dataDir: string;
  /** Default: all components. */
  readonly app?: 'server' | 'command-api' | 'projector' | 'query-api';
  /** Additional settings. Settings for a service in the environment of the tests are not passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

export interface RunningService {
  /** http://127.0.0.1:40123 */
  readonly url: string;
  readonly pid: number;
  /** Its output to both streams so far. */
  output(): string;
  /** Sends SIGTERM. Resolves to the exit code when the process has ended. */
  stop(): Promise<number | null>;
  /**
   * Sends SIGKILL. Resolves when the process has ended. Its PostgreSQL runs until the next start with the same data.
   */
  kill(): Promise<void>;
}

/** Thrown if the service ends during its start. */
export class ServiceNotStarted extends Error {
  constructor(
    readonly exitCode: number | null,
    readonly output: string,
  ) {
    super(`the service ended with code ${exitCode}:\n${output}`);
  }
}

/** Creates a folder that the user of PostgreSQL can also access. The caller removes it. */
export async function temporaryDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nodeledger-e2e-'));
  await chmod(folder, 0o755);
  return folder;
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

/**
 * Copies the empty cluster of the test run into a data directory that has no cluster. Otherwise, the service would run initdb,
 * which takes 3 s. Tests of the first start run initdb (package.spec.ts, embedded-postgres.int.spec.ts).
 */
async function copyCluster(dataDir: string): Promise<void> {
  const desk = process.env.NODELEDGER_TEST_DESK;
  if (desk === undefined || lstatSync(join(dataDir, 'postgres'), { throwIfNoEntry: false }) !== undefined) return;
  const made = await (await fetch(new URL('cluster', desk))).text();
  // A link leads to a cluster that exists only once.
  if (!lstatSync(join(made, 'postgres')).isDirectory()) return;
  execFileSync('cp', ['-a', join(made, 'postgres'), join(made, 'postgres.password'), dataDir]);
}

/** Resolves when the service answers. Throws ServiceNotStarted if it ends before that. */
export async function startService({
  dataDir,
  app = 'server',
  env = {},
  flags = [],
}: ServiceOptions): Promise<RunningService> {
  if (env.DATABASE_URL === undefined) await copyCluster(dataDir);
  const settings = { NODELEDGER_PORT: '0', NODELEDGER_DATA_DIR: dataDir, NODELEDGER_LOG_LEVEL: 'warn', ...env };
  const child = spawn(process.execPath, [builtProgram(app), ...flags], {
    cwd: dataDir,
    env: ownEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the service did not start within ${startTimeoutMs / 1000} s:\n${output}`));
    }, startTimeoutMs);
    const hear = (chunk: string): void => {
      output += chunk;
      const found = /listens on (https?:\/\/\S+)/.exec(output)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(late);
      reject(new ServiceNotStarted(code, output));
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      const code = await ended(child);
      clearTimeout(late);
      return code;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended(child);
    },
  };
}

/** Returns the output and the exit code of a start that must fail. */
export async function refusedStart(options: ServiceOptions): Promise<{ code: number | null; output: string }> {
  try {
    const unexpected = await startService(options);
    await unexpected.stop();
    return { code: 0, output: 'it started' };
  } catch (error) {
    if (error instanceof ServiceNotStarted) return { code: error.exitCode, output: error.output };
    throw error;
  }
}
