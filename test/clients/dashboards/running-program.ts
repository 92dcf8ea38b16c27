/** Starts a program, collects its output, waits until it answers over HTTP, and ends it. */
import { spawn } from 'node:child_process';
import { until } from '../../support/until';

const startMs = 60_000;
const stopMs = 15_000;

export interface ProgramOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The program has started when this address answers. */
  readonly url: string;
}

export interface RunningProgram {
  readonly url: string;
  /** Its output to both streams so far. */
  output(): string;
  stop(): Promise<void>;
}

export async function startProgram({ program, args, cwd, env = {}, url }: ProgramOptions): Promise<RunningProgram> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const hear = (text: string): void => void (output += text);
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    if (failure !== undefined) return;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await ended;
    clearTimeout(late);
  };
  const answers = async (): Promise<boolean> => {
    if (failure !== undefined || child.exitCode !== null)
      throw new Error(`${program} has ended: ${failure?.message ?? ''}\n${output}`);
    return fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
  };
  await until(answers, { what: `an answer of ${url}`, withinMs: startMs, everyMs: 100 }).catch(
    async (error: unknown) => {
      await stop();
      throw new Error(`${String(error)}\n${output}`);
    },
  );
  return { url, output: () => output, stop };
}
