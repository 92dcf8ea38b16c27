import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Log } from '#observe';
import type { Outages } from './outages';
import { type ProjectorMessage, type ProjectorTask, stopMessage } from './projector-messages';

const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** A thread that ran as long as this starts its next back-off from the beginning. */
const healthyMs = 60_000;
/** A batch takes a second at most; beyond this something hangs, and what it holds is rolled back. */
const longestStopMs = 15_000;

/**
 * Room for the largest command many times over. A bounded heap is also collected earlier: less memory for a little more
 * work.
 */
const heapLimitMb = (maxCommandBytes: number): number => Math.max(1536, Math.ceil((maxCommandBytes / 1e6) * 24));

/** Keeps one projector running in a thread of its own; starts it anew, with growing pauses, whenever it ends. */
export class ProjectorThread {
  private worker: Worker | undefined;
  private readonly stopping = new AbortController();
  private kept: Promise<void> | undefined;
  private isRunning = false;

  constructor(
    private readonly task: ProjectorTask,
    private readonly log: Log,
    private readonly outages: Pick<Outages, 'met'>,
  ) {}

  /** Whether records are being applied right now. */
  get running(): boolean {
    return this.isRunning;
  }

  start(): void {
    this.kept ??= this.keep();
  }

  /** Lets the batch at hand finish. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.worker?.postMessage(stopMessage);
    const late = setTimeout(() => void this.worker?.terminate(), longestStopMs);
    await this.kept;
    clearTimeout(late);
  }

  private async keep(): Promise<void> {
    for (let waitMs = firstWaitMs; !this.stopping.signal.aborted;) {
      const startedAt = Date.now();
      const reason = await this.runOnce();
      if (this.stopping.signal.aborted) return;
      if (Date.now() - startedAt >= healthyMs) waitMs = firstWaitMs;
      // What is down is told by its own alert.
      if (this.outages.met(reason) === undefined) {
        this.log.error(
          { err: reason, retryInMs: waitMs },
          'the projector has ended; commands are kept in the log meanwhile',
        );
      }
      await delay(waitMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      waitMs = Math.min(longestWaitMs, waitMs * 2);
    }
  }

  /** Resolves to the reason when the thread has ended. */
  private runOnce(): Promise<Error> {
    return new Promise((resolve) => {
      let reason: Error | undefined;
      const worker = new Worker(join(__dirname, 'projector-worker.js'), {
        workerData: this.task,
        name: 'projector',
        resourceLimits: {
          maxOldGenerationSizeMb: heapLimitMb(this.task.maxCommandBytes),
          maxYoungGenerationSizeMb: 64,
        },
      });
      this.worker = worker;
      worker.on('message', (message: ProjectorMessage) => {
        if (message.kind === 'failed') reason = Object.assign(new Error(message.error.message), message.error);
        else this.hear(message);
      });
      worker.on('error', (error) => {
        reason = error;
      });
      worker.on('exit', (code) => {
        this.isRunning = false;
        this.worker = undefined;
        resolve(reason ?? new Error(`the thread ended with code ${code}`));
      });
    });
  }

  private hear(message: Exclude<ProjectorMessage, { kind: 'failed' }>): void {
    switch (message.kind) {
      case 'running':
        this.isRunning = true;
        this.log.debug({ generation: message.generation }, 'the projector runs');
        // The stop may have come before the thread could hear it.
        if (this.stopping.signal.aborted) this.worker?.postMessage(stopMessage);
        break;
      case 'dead-letter': {
        const { uuid, command, certname, error } = message;
        this.log.warn({ uuid, command, certname, code: error.code, reason: error.message }, 'a command was rejected');
        break;
      }
      case 'retry':
        if (this.outages.met(message.error) !== undefined) break;
        this.log.warn(
          { code: message.error.code, reason: message.error.message, waitMs: message.waitMs },
          'the projector waits for the database',
        );
        break;
    }
  }
}
