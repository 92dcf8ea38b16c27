import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Generations, type Database } from '#database';
import { lastSnapshotAt, type SnapshotOutcome } from '#projections';
import { stopMessage } from './projector-messages';
import type { SnapshotMessage, SnapshotTask } from './snapshot-messages';
import type { Tell } from './tell';

/** How often it is asked whether one is due: what others do, or the clock, may have changed the answer. */
const longestLookMs = 3_600_000;

/** Folds old records into a new base of the log, again and again, counted from the last one whoever made it. */
export class PeriodicSnapshot {
  private readonly stopping = new AbortController();
  private worker: Worker | undefined;
  private kept: Promise<void> | undefined;

  constructor(
    private readonly db: Database,
    private readonly task: SnapshotTask,
    /** Milliseconds from the end of one to the begin of the next. */
    private readonly intervalMs: number,
    private readonly tell: Tell,
  ) {}

  start(): void {
    this.kept ??= this.keep(this.stopping.signal);
  }

  /** One under way is given up; the log is as it was before, or the next one finishes what was begun. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.worker?.postMessage(stopMessage);
    await this.kept;
  }

  private async keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await delay(Math.min(longestLookMs, this.intervalMs), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        if (!(await this.isDue())) continue;
        const { kept, removed, seconds, nothingToDo } = await this.runOnce();
        this.tell.log.info({ kept, removed, seconds, nothingToDo }, 'a snapshot of the log is done');
        this.tell.alerts.clear('snapshot.failing');
      } catch (error) {
        if (signal.aborted) return;
        const { code } = error as { code?: unknown };
        if (code === 'maintenance.busy')
          this.tell.log.info('a snapshot of the log is left out: other maintenance runs');
        else this.failed(error);
      }
    }
  }

  private failed(error: unknown): void {
    if (this.tell.outages.met(error) !== undefined) return;
    this.tell.log.debug({ err: error }, 'a snapshot of the log failed');
    this.tell.alerts.raise('snapshot.failing', {
      severity: 'warning',
      message: `A snapshot of the log failed: ${error instanceof Error ? error.message : String(error)}`,
      effect: 'The log is as it was, and grows. Commands and queries go on.',
      hint: 'It is tried again within an hour; `nodeledger snapshot` does it now and says what it meets.',
    });
  }

  private async isDue(): Promise<boolean> {
    const [oldest] = await new Generations(this.db).list();
    const since = (await lastSnapshotAt(this.db)) ?? Date.parse(oldest?.createdAt ?? new Date().toISOString());
    return Date.now() - since >= this.intervalMs;
  }

  private runOnce(): Promise<SnapshotOutcome> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(join(__dirname, 'snapshot-worker.js'), { workerData: this.task, name: 'snapshot' });
      this.worker = worker;
      worker.on('message', (message: SnapshotMessage) => {
        if (message.kind === 'notice') this.tell.log.info(message.text);
        else if (message.kind === 'done') resolve(message.outcome);
        else reject(Object.assign(new Error(message.error.message), message.error));
      });
      worker.on('error', reject);
      worker.on('exit', (code) => {
        this.worker = undefined;
        reject(new Error(`the thread of the snapshot ended with code ${code}`));
      });
    });
  }
}
