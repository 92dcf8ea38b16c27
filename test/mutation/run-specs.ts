import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface SpecRun {
  /** `hung`: it did not end in time. */
  readonly end: 'passed' | 'failed' | 'hung';
  readonly seconds: number;
  readonly output: string;
}

/** Runs specs one after the other in one process, and stops at the first failure. */
export async function runSpecs(
  folder: string,
  specs: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SpecRun> {
  const args = [
    join(folder, 'node_modules/jest/bin/jest.js'),
    ...['--runInBand', '--bail', '--no-watchman', '--silent', '--forceExit'],
    ...['--config', join(folder, 'test/mutation/jest.config.cjs')],
    '--runTestsByPath',
    ...specs,
  ];
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env, MUTATION_SPECS: specs.join(' ') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a hang ends with all that the specs have started.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-20_000)));
  const endAll = (): void => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  let hung = false;
  const late = setTimeout(() => {
    hung = true;
    endAll();
  }, limitMs);
  signal.addEventListener('abort', endAll);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(late);
  signal.removeEventListener('abort', endAll);
  const seconds = (performance.now() - startedAt) / 1000;
  return { end: hung ? 'hung' : code === 0 ? 'passed' : 'failed', seconds, output };
}
