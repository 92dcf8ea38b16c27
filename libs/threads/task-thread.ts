import { Worker } from 'node:worker_threads';
import { Fault } from '#fault';
import type { PostedResult } from './posted-result';

export interface TaskOptions {
  readonly address?: string | undefined;
  /**
   * Aborted when the client disconnects. The promise of the task then rejects with the reason of the signal. If the
   * task still waits, it never runs.
   */
  readonly signal?: AbortSignal | undefined;
  /** Buffers of the message that are moved to the thread instead of copied. Copying 20 MB takes 90 ms. */
  readonly transfer?: readonly ArrayBuffer[];
}

interface Task<Message, Result> {
  readonly message: Message;
  readonly transfer: readonly ArrayBuffer[];
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A thread for work that would block the main thread too long. Tasks of different client addresses alternate, so that a
 * client with many tasks mainly delays its own tasks. The caller must limit the number of waiting tasks.
 */
export class TaskThread<Message, Result> {
  /** Undefined before the first task and after the thread has ended. The next task starts a new thread. */
  private worker: Worker | undefined;
  private current: Task<Message, Result> | undefined;
  private isClosed = false;
  /** Maps a client address to its waiting tasks. The next task is a task of the first address in the map. */
  private readonly waiting = new Map<string, Set<Task<Message, Result>>>();

  /** `program` is the file that calls `serveTasks`. */
  constructor(
    private readonly name: string,
    private readonly program: string,
    private readonly heapMb: number,
  ) {}

  /** Message and result must be plain data. Throws the fault that the task throws. */
  async perform(message: Message, { address = 'unknown', signal, transfer = [] }: TaskOptions): Promise<Result> {
    signal?.throwIfAborted();
    return new Promise<Result>((resolve, reject) => {
      const task = { message, transfer, resolve, reject };
      const tasks = this.waiting.get(address) ?? new Set();
      this.waiting.set(address, tasks.add(task));
      signal?.addEventListener('abort', () => {
        if (tasks.delete(task) && tasks.size === 0) this.waiting.delete(address);
        reject(signal.reason as Error);
      });
      this.startNext();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
    this.startNext();
  }

  private startNext(): void {
    while (this.current === undefined) {
      const task = this.takeNext();
      if (task === undefined) return;
      try {
        if (this.isClosed) throw new Error(`the thread ${this.name} is closed`);
        this.worker ??= this.start();
        this.worker.postMessage(task.message, task.transfer);
        this.current = task;
      } catch (error) {
        // The system can refuse to start a thread. The next task tries again.
        task.reject(error);
      }
    }
  }

  private takeNext(): Task<Message, Result> | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [address, tasks] = first;
    const [task] = tasks;
    this.waiting.delete(address);
    tasks.delete(task!);
    if (tasks.size > 0) this.waiting.set(address, tasks);
    return task;
  }

  private start(): Worker {
    const worker = new Worker(this.program, {
      name: this.name,
      resourceLimits: { maxOldGenerationSizeMb: this.heapMb, maxYoungGenerationSizeMb: 16 },
    });
    worker.unref();
    let failure: Error | undefined;
    worker.on('message', (posted: PostedResult<Result>) => this.finish((task) => settle(task, posted)));
    worker.on('error', (error) => (failure = error));
    worker.on('exit', (code) => {
      this.worker = undefined;
      this.finish(({ reject }) => reject(failure ?? new Error(`the thread ${this.name} ended with code ${code}`)));
    });
    return worker;
  }

  private finish(settleTask: (task: Task<Message, Result>) => void): void {
    const task = this.current;
    this.current = undefined;
    if (task !== undefined) settleTask(task);
    this.startNext();
  }
}

function settle<Result>({ resolve, reject }: Task<unknown, Result>, posted: PostedResult<Result>): void {
  if ('result' in posted) return resolve(posted.result);
  const { kind, code, message, ...options } = posted.fault;
  reject(new Fault(kind, code, message, options));
}
