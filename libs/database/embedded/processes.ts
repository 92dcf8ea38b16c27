import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from './error-code';

/** True where a process with this number runs, whoever owns it. One that has ended and only waits to be reaped does not. */
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
    // No such file system: the signal's answer stands.
    return process.platform !== 'linux';
  }
}

/** When the process began, in the system's own words; undefined where the system does not tell. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces and brackets; the start time is the twentieth field behind it.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

/** Tells a process from a later one with the same number, also from a file. */
export interface ProcessMark {
  readonly pid: number;
  /** Undefined where the system does not tell. */
  readonly startedAt?: string | undefined;
}

export const ownMark = async (): Promise<ProcessMark> => ({
  pid: process.pid,
  startedAt: await startTimeOf(process.pid),
});

export async function isRunning({ pid, startedAt }: ProcessMark): Promise<boolean> {
  return isAlive(pid) && startedAt === (await startTimeOf(pid));
}

/** The command line of a process, or undefined where there is none (any more). */
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
