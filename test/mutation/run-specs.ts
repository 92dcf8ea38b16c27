import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface SpecRun {
  /** `hung`: the run did not end in time. */
  readonly end: 'passed' | 'failed' | 'hung';
  readonly seconds: number;
  readonly output: string;
  /** The test that failed, and why. */
  readonly failure: string | undefined;
  /** The duration of each spec; empty unless all passed. */
  readonly secondsOf: ReadonlyMap<string, number>;
}

interface Results {
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

/** Runs specs one after the other in one process, and stops at the first failure. */
export async function runSpecs(
  folder: string,
  specs: readonly string[],
  limitMs: number,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SpecRun> {
  const results = join(folder, 'results.json');
  const args = [
    join(folder, 'node_modules/jest/bin/jest.js'),
    ...['--runInBand', '--bail', '--no-watchman', '--silent', '--forceExit', '--json', '--outputFile', results],
    ...['--config', join(folder, 'test/mutation/jest.config.cjs')],
    '--runTestsByPath',
    ...specs,
  ];
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env, MUTATION_SPECS: specs.join(' ') },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that ending it also ends the processes that the specs have started.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-20_000)));
  const endAll = (): void => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // The process has ended.
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
  const end = hung ? 'hung' : code === 0 ? 'passed' : 'failed';
  const secondsOf = new Map<string, number>();
  if (end === 'passed') {
    const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as Results;
    for (const { name, startTime, endTime } of testResults)
      secondsOf.set(name.slice(folder.length + 1), (endTime - startTime) / 1000);
  }
  rmSync(results, { force: true });
  return { end, seconds, output, failure: /^failed: (.*)$/m.exec(output)?.[1], secondsOf };
}
