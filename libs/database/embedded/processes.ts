import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from './error-code';

/** Returns whether a process with this number runs, whoever owns it. A zombie does not count. */
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
    // Without /proc, the result of the signal counts.
    return process.platform !== 'linux';
  }
}

/** Returns the start time of the process in the system's unit, or undefined if the system does not provide it. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may contain spaces and brackets. The start time is the twentieth field after it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Identifies a process, also in a file, and distinguishes it from a later one with the same number. */
export interface ProcessMark {
  readonly pid: number;
  /** Undefined if the system does not provide it. */
  readonly startedAt?: string | undefined;
}

export const ownMark = async (): Promise<ProcessMark> => ({
  pid: process.pid,
  startedAt: await startTimeOf(process.pid),
});

export async function isRunning({ pid, startedAt }: ProcessMark): Promise<boolean> {
  return isAlive(pid) && startedAt === (await startTimeOf(pid));
}

/** Returns the command line of a process, or undefined if it does not exist (any more). */
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
