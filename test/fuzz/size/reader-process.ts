/** Runs the process that reads cases: starts it when needed, ends it if a case takes too long, and starts it again. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome, Task } from './reader-child';

const program = join(__dirname, 'reader-child.ts');
const hook = join(__dirname, '../../support/run-typescript.cjs');

/** Maximum size of its heap. The process ends if it needs more. */
export const heapMegabytes = 512;

/** Returns the processor time of a process so far. */
function cpuMs(pid: number | undefined): number {
  const ticksPerSecond = 100;
  // The name in brackets may contain spaces. User and system time are the twelfth and thirteenth field after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

export class ReaderProcess {
  private child: ChildProcess | undefined;
  peakMegabytes = 0;
  private tasks = 0;

  /** `longestMs`: the maximum processor time of a case. */
  constructor(private readonly longestMs = 10_000) {}

  /** Rejects with the reason if the case ended the process or did not end. */
  async run(asked: Omit<Task, 'id'>): Promise<Outcome> {
    const task: Task = { ...asked, id: ++this.tasks };
    const child = (this.child ??= await this.start());
    const outcome = await new Promise<Outcome>((resolve, reject) => {
      const before = cpuMs(child.pid);
      const watch = setInterval(() => {
        if (cpuMs(child.pid) - before > this.longestMs)
          fail(`it was not read within ${this.longestMs / 1000} s of processor time`);
      }, 500);
      const fail = (what: string): void => {
        done();
        this.child = undefined;
        child.kill('SIGKILL');
        reject(new Error(what));
      };
      const ended = (code: number | null, signal: string | null): void =>
        fail(`reading it ended the process (${signal ?? code}); its heap may have ${heapMegabytes} MB`);
      const told = (outcome: Outcome): void => {
        if (outcome.id !== task.id) return;
        done();
        resolve(outcome);
      };
      const done = (): void => {
        clearInterval(watch);
        child.off('message', told).off('exit', ended);
      };
      child.on('message', told).once('exit', ended);
      child.send(task);
    });
    this.peakMegabytes = Math.max(this.peakMegabytes, outcome.peakMegabytes);
    return outcome;
  }

  stop(): void {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  private async start(): Promise<ChildProcess> {
    const child = fork(program, [], {
      execArgv: ['--require', hook, '--expose-gc', `--max-old-space-size=${heapMegabytes}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // The process reports that it has loaded its program, which takes longer than most cases.
    await once(child, 'message');
    return child;
  }
}
