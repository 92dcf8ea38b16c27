/** Runs the built command line (`npm run build`) as a process of its own, as a program would: no terminal. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { builtFile, builtProgram } from '../support/built';
import { ownEnvironment } from './own-environment';

const longestMs = 120_000;

export interface VerbEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningVerb {
  signal(signal: NodeJS.Signals): void;
  /** Waits until the standard error, or the standard output, contains the text. */
  said(pattern: RegExp, stream?: 'stdout' | 'stderr'): Promise<void>;
  readonly ended: Promise<VerbEnd>;
}

export function startVerb(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  program = builtProgram('cli'),
): RunningVerb {
  const child: ChildProcess = spawn(process.execPath, [program, ...args], {
    cwd,
    env: ownEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (heard.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (heard.stderr += text));
  const late = setTimeout(() => child.kill('SIGKILL'), longestMs);
  const ended = new Promise<VerbEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(late);
      resolve({ code, ...heard });
    });
  });
  return {
    signal: (signal) => void child.kill(signal),
    ended,
    async said(pattern, stream = 'stderr') {
      for (const deadline = Date.now() + 30_000; !pattern.test(heard[stream]); await delay(20)) {
        if (Date.now() > deadline || child.exitCode !== null || child.signalCode !== null)
          throw new Error(`it did not say ${pattern}: ${heard.stdout}${heard.stderr}`);
      }
    },
  };
}

export const runVerb = (
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<VerbEnd> => startVerb(args, cwd, env).ended;

/** Runs a program of `tools`: `demo` or `fleet`, with its flags. */
export const runTool = (
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<VerbEnd> => startVerb(args, cwd, env, builtFile('tools/main.js')).ended;
