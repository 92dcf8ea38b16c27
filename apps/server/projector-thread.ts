import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { excerpt, retryDelay } from '#fault';
import { heapLimitMb } from '#limits';
import { type Log, safeMessage, type Tracing } from '#observe';
import { BatchSpans } from './batch-spans';
import { CrashRecovery } from './crash-recovery';
import { youngGenerationMb } from './garbage-collection';
import type { ProjectorMeters } from './metrics/projector-meters';
import type { Outages } from './outages';
import {
  type ProjectorMessage,
  type ProjectorRun,
  type ProjectorTask,
  recoveredMessage,
  stopMessage,
} from './projector-messages';
import type { SharedAlert } from './shared-alert';

const restartDelays = { firstMs: 500, longestMs: 30_000 };
/** Pause before a restart, if a single record may have caused the crash. */
const quickWaitMs = 100;
/** After a run of this length, the next pause before a restart is the shortest one again. */
const healthyMs = 60_000;
/** After this time, the alert of the thread is cleared if the thread has no current batch. */
const quietMs = 10_000;
/**
 * After this time, a stop terminates the thread, and PostgreSQL rolls back its batches. A batch usually takes at most a
 * second.
 */
const longestStopMs = 15_000;

const effect = 'Commands are accepted and kept in the log; queries answer with what was applied before.';

export interface ProjectorThreadOptions {
  readonly task: ProjectorTask;
  readonly log: Log;
  readonly alert: SharedAlert;
  readonly outages: Pick<Outages, 'report'>;
  readonly meters: ProjectorMeters;
  readonly tracing: Tracing;
}

interface End {
  readonly error: Error;
  /** Whether the thread itself reported the error. If not, the thread crashed. */
  readonly reported: boolean;
}

/**
 * Keeps one projector running in a thread. If a single record may have caused a crash, the projector restarts at once.
 * Otherwise the pauses between restarts grow.
 */
export class ProjectorThread {
  private worker: Worker | undefined;
  private readonly stopping = new AbortController();
  private readonly recovery = new CrashRecovery();
  private readonly spans: BatchSpans;
  private kept: Promise<void> | undefined;
  private isRunning = false;
  private quiet: NodeJS.Timeout | undefined;

  constructor(private readonly options: ProjectorThreadOptions) {
    this.spans = new BatchSpans(options.tracing);
  }

  get running(): boolean {
    return this.isRunning;
  }

  start(): void {
    this.kept ??= this.keep();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.worker?.postMessage(stopMessage);
    const late = setTimeout(() => void this.worker?.terminate(), longestStopMs);
    await this.kept;
    clearTimeout(late);
  }

  private async keep(): Promise<void> {
    for (let failures = 1; !this.stopping.signal.aborted;) {
      const startedAt = performance.now();
      // Retries a failed start of a thread, because files of the program can be missing during an upgrade.
      const end = await this.runOnce().catch((error: unknown): End => ({ error: error as Error, reported: true }));
      if (this.stopping.signal.aborted) return;
      if (performance.now() - startedAt >= healthyMs) failures = 1;
      const isQuick = this.hearEnd(end);
      const pauseMs = isQuick ? quickWaitMs : retryDelay(failures, restartDelays);
      this.options.log.debug({ err: end.error, retryInMs: pauseMs }, 'the thread of the projector has ended');
      await delay(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (!isQuick) failures += 1;
    }
  }

  /**
   * Returns whether the projector should restart at once. Raises no alert if an outage explains the end of the thread.
   */
  private hearEnd({ error, reported }: End): boolean {
    const reason = reasonOf(error);
    if (reported) {
      this.recovery.failed();
      if (this.options.outages.report(error) !== undefined) return false;
      this.options.alert.raise(this, {
        message: `The projector has ended: ${reason}.`,
        effect,
        hint: 'It is restarted until it runs.',
      });
      return false;
    }
    const records = this.recovery.ended(reason);
    const { recoveryPlan, recovering } = this.recovery;
    const during = records === 0 ? '' : ` while it applied ${records} ${records === 1 ? 'command' : 'commands'}`;
    const rejected = recoveryPlan.reject.length === 0 ? '' : ` ${recoveryPlan.reject.length} will become dead letters.`;
    this.options.alert.raise(this, {
      message: `The projector ended abnormally${during}: ${reason}.`,
      effect,
      hint: recovering
        ? `It continues and applies these commands one by one; a command that ends it twice becomes a dead letter.${rejected}`
        : 'It is restarted until it runs.',
    });
    return records > 0 && this.recovery.isQuick;
  }

  private runOnce(): Promise<End> {
    return new Promise((resolve) => {
      let reported: Error | undefined;
      let thrown: Error | undefined;
      const workerData: ProjectorRun = { ...this.options.task, recoveryPlan: this.recovery.recoveryPlan };
      const worker = new Worker(join(__dirname, 'projector-worker.js'), {
        workerData,
        name: 'projector',
        resourceLimits: {
          maxOldGenerationSizeMb: heapLimitMb(this.options.task.limits.commandBytes),
          maxYoungGenerationSizeMb: youngGenerationMb,
        },
      });
      this.worker = worker;
      worker.on('message', (message: ProjectorMessage) => {
        if (message.kind === 'failed') reported = Object.assign(new Error(message.error.message), message.error);
        else this.handle(message);
      });
      worker.on('error', (error) => {
        thrown = error;
      });
      worker.on('exit', (code) => {
        this.isRunning = false;
        this.options.meters.ended();
        this.worker = undefined;
        clearTimeout(this.quiet);
        this.spans.ended();
        const error = thrown ?? reported ?? new Error(`its thread exited with code ${code}`);
        resolve({ error, reported: thrown === undefined && reported !== undefined });
      });
    });
  }

  private handle(message: Exclude<ProjectorMessage, { kind: 'failed' }>): void {
    switch (message.kind) {
      case 'running':
        this.isRunning = true;
        this.options.log.debug({ generation: message.generation }, 'the projector runs');
        this.watch();
        // An earlier `stopMessage` may have been sent before the thread listened.
        if (this.stopping.signal.aborted) this.worker?.postMessage(stopMessage);
        break;
      case 'begin':
        this.recovery.begin(message.slot, message.batch);
        this.spans.begin(message.slot, message.batch);
        break;
      case 'committed':
        this.progress(() => this.recovery.committed(message.slot, message.records));
        this.spans.committed(message.slot, message.records);
        this.options.meters.batchCommitted(message.slot, message.figures);
        break;
      case 'positions':
        this.progress(() => this.recovery.reached(message.positions));
        break;
      case 'thread':
        this.options.meters.thread.update(message.figures, message.collections);
        break;
      case 'dead-letter': {
        // The error message may quote the payload, so the log line contains only the code.
        const { uuid, command, certname, error } = message;
        const text = 'a command was rejected; `nodeledger dead-letters show UUID` says why';
        this.options.log.warn({ uuid, command, certname, code: error.code }, text);
        break;
      }
      case 'retry':
        this.options.meters.batchWaits(message.slot, message.waiting);
        if (this.options.outages.report(message.error) !== undefined) break;
        this.options.log.warn(
          { code: message.error.code, reason: message.error.message, waitMs: message.waitMs },
          'the projector waits for the database',
        );
        break;
    }
  }

  private progress(change: () => void): void {
    const wasRecovering = this.recovery.recovering;
    change();
    if (this.recovery.recovering) return;
    this.options.alert.clear(this);
    if (wasRecovering) this.worker?.postMessage(recoveredMessage);
  }

  /** Clears the alert if no batch has run for a while. Otherwise the alert would stay until the next record arrives. */
  private watch(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      if (this.recovery.working) return this.watch();
      this.options.alert.clear(this);
    }, quietMs).unref();
  }
}

function reasonOf(error: Error): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'out of memory';
  return excerpt(safeMessage(error)).replace(/[.\s]+$/, '') + (typeof code === 'string' ? ` (${code})` : '');
}
