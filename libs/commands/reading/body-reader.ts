import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { WaitOptions } from '#database';
import { Fault } from '#fault';
import { heapLimitMb } from '#limits';
import { IntakeLimits } from '../intake-limits';
import { type ReadBody, type ReaderName, type Readers, readers } from './readers';
import type { ReadAnswer, ReadMessage } from './reading-messages';

/**
 * Smaller bodies are read at once. The slowest bodies of these sizes take 35 ms: a report whose log lines are all wrong, and a
 * command that is a list of numbers.
 */
const mostBytesAtOnce: Readonly<Record<ReaderName, number>> = { agentReport: 64 << 10, bodyForm: 1 << 20 };

interface Task {
  readonly message: ReadMessage;
  readonly resolve: (read: ReadBody) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads the bodies of requests, large ones in a thread, so that other requests do not wait. The thread reads one body after
 * the other. Client addresses take turns, so that a client with many large bodies delays mostly itself. How many bodies may
 * wait is bounded by the memory for bodies.
 */
@Injectable()
export class BodyReader implements OnModuleDestroy {
  /** Started for the first large body. */
  private thread: Worker | undefined;
  private current: Task | undefined;
  /** By client address. The address whose turn is next comes first. */
  private readonly waiting = new Map<string, Set<Task>>();

  constructor(private readonly limits: IntakeLimits) {}

  /** Faults: those of the reader. */
  async read<N extends ReaderName>(
    reader: N,
    body: Buffer,
    receivedAt: number,
    { address = 'unknown', signal }: WaitOptions,
  ): Promise<ReturnType<Readers[N]>> {
    const options = { receivedAt, limits: this.limits.documents };
    type Read = ReturnType<Readers[N]>;
    if (body.length <= mostBytesAtOnce[reader]) return readers[reader](body, options) as Read;
    signal?.throwIfAborted();
    return new Promise<Read>((resolve, reject) => {
      const task: Task = { message: { reader, body, options }, resolve: resolve as Task['resolve'], reject };
      const tasks = this.waiting.get(address) ?? new Set();
      this.waiting.set(address, tasks.add(task));
      // The memory of a request is given back when its client leaves, so its body must not wait for its turn.
      signal?.addEventListener('abort', () => this.drop(task, address, signal.reason));
      this.readNext();
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.thread?.terminate();
  }

  private readNext(): void {
    if (this.current !== undefined) return;
    const task = this.takeNext();
    if (task === undefined) return;
    this.current = task;
    this.thread ??= this.start();
    const body = new Uint8Array(task.message.body);
    this.thread.postMessage({ ...task.message, body }, [body.buffer]);
  }

  private takeNext(): Task | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [address, tasks] = first;
    const [task] = tasks;
    this.waiting.delete(address);
    tasks.delete(task!);
    if (tasks.size > 0) this.waiting.set(address, tasks);
    return task;
  }

  /** Does nothing if the thread has the task already. */
  private drop(task: Task, address: string, reason: unknown): void {
    const tasks = this.waiting.get(address);
    if (tasks?.delete(task) !== true) return;
    if (tasks.size === 0) this.waiting.delete(address);
    task.reject(reason);
  }

  private start(): Worker {
    const thread = new Worker(join(__dirname, 'reading-worker.js'), {
      name: 'reading',
      resourceLimits: {
        maxOldGenerationSizeMb: heapLimitMb(this.limits.maxPayloadBytes),
        maxYoungGenerationSizeMb: 16,
      },
    });
    thread.unref();
    let failure: Error | undefined;
    thread.on('message', (answer: ReadAnswer) => this.finish((task) => settle(task, answer)));
    thread.on('error', (error) => (failure = error));
    thread.on('exit', (code) => {
      this.thread = undefined;
      this.finish(({ reject }) => reject(failure ?? new Error(`the thread that reads bodies ended with code ${code}`)));
    });
    return thread;
  }

  private finish(settleTask: (task: Task) => void): void {
    const task = this.current;
    this.current = undefined;
    if (task !== undefined) settleTask(task);
    this.readNext();
  }
}

function settle({ resolve, reject }: Task, answer: ReadAnswer): void {
  if ('fault' in answer) {
    const { kind, code, message, ...options } = answer.fault;
    reject(new Fault(kind, code, message, options));
    return;
  }
  const { buffer, byteOffset, length } = answer.payload;
  resolve({ ...answer.read, payload: Buffer.from(buffer, byteOffset, length) });
}
