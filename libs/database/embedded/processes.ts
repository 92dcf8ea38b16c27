import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from './error-code';

/** Returns whether the process is running. A zombie does not count as running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^[ZX]/.test(text.slice(text.lastIndexOf(')') + 2));
  } catch {
    // Without /proc, a process that a signal reaches counts as alive.
    return process.platform !== 'linux';
  }
}

export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name of the process in brackets, and the name itself can contain brackets. The start time
    // is the 20th field after the last bracket.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** The start time distinguishes a process from a later process with the same id. */
export interface ProcessMark {
  readonly pid: number;
  readonly startedAt?: string | undefined;
}

export const ownMark = async (): Promise<ProcessMark> => ({
  pid: process.pid,
  startedAt: await startTimeOf(process.pid),
});

export async function isRunning({ pid, startedAt }: ProcessMark): Promise<boolean> {
  return isAlive(pid) && startedAt === (await startTimeOf(pid));
}

export async function commandLineOf(pid: number): Promise<string | undefined> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  } catch (error) {
    if (process.platform === 'linux') {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ESRCH') return undefined;
      throw error;
    }
  }
  try {
    return (await promisify(execFile)('ps', ['-p', String(pid), '-o', 'command='])).stdout.trim();
  } catch {
    return undefined;
  }
}
