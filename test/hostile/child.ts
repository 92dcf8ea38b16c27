/** Runs programs of this folder as processes, so that they do not disturb the measuring process. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const hook = join(__dirname, '../support/run-typescript.cjs');

/** Messages that the parent sends and receives. */
export class Child<Order, Word> {
  private readonly process: ChildProcess;
  private output = '';
  private gone = false;

  /** `program`: a file of this folder. Calls `hear` with every message. */
  constructor(program: string, hear: (word: Word) => void) {
    this.process = fork(join(__dirname, program), [], {
      execArgv: ['--require', hook],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output = (this.output + text).slice(-10_000)));
    this.process.on('message', (word) => hear(word as Word));
    this.process.once('exit', () => (this.gone = true));
  }

  tell(order: Order): void {
    if (this.gone) throw new Error(`the process of the test has ended: ${this.output}`);
    this.process.send(order as object);
  }

  async stop(): Promise<void> {
    if (this.gone) return;
    const exit = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exit;
  }
}
