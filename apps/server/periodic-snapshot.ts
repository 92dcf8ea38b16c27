import { Generations, type Database } from '#database';
import type { Counter } from '#metrics';
import { safeMessage } from '#observe';
import { lastSnapshotAt, type SnapshotOutcome } from '#projections';
import type { ProjectorTask } from './projector-messages';
import { RepeatedTask } from './repeated-task';
import { runReplayThread } from './replay-thread';
import type { Reports } from './reports';

/** Task of the thread of a snapshot. */
export interface SnapshotTask extends ProjectorTask {
  /** See SnapshotOptions. */
  readonly historyMs: number;
}

/** Longest time between two checks whether a snapshot is due, because other processes or the clock may change that. */
const longestCheckMs = 3_600_000;

/** Makes a snapshot of the log at each interval. The interval counts from the last snapshot of any process. */
export class PeriodicSnapshot {
  private readonly repeated: RepeatedTask;
  private isRunning = false;

  constructor(
    private readonly db: Database,
    private readonly task: SnapshotTask,
    /** Milliseconds from the end of one snapshot to the start of the next. */
    private readonly intervalMs: number,
    private readonly reports: Reports,
    /** Counts the records that snapshots apply. */
    private readonly replayed: Pick<Counter, 'add'>,
  ) {
    this.repeated = new RepeatedTask(
      Math.min(longestCheckMs, intervalMs),
      (signal) => this.runIfDue(signal),
      (error) => this.failed(error),
    );
  }

  start(): void {
    this.repeated.start();
  }

  /** Stops a running snapshot. The log is unchanged, or the next snapshot finishes the removal. */
  stop(): Promise<void> {
    return this.repeated.stop();
  }

  /** Stops a running snapshot, because a snapshot needs disk space. `start` resumes periodic snapshots. */
  pause(): void {
    if (this.isRunning) {
      this.raise(
        'it was stopped, because the disk is almost full.',
        'Enlarge the file system, or delete other files on it.',
      );
    }
    void this.stop();
  }

  private async runIfDue(signal: AbortSignal): Promise<void> {
    if (!(await this.isDue()) || signal.aborted) return;
    this.isRunning = true;
    const outcome = await runReplayThread<SnapshotOutcome>('snapshot', this.task, {
      signal,
      onRecords: (records) => this.replayed.add(records),
      onNotice: (text) => this.reports.log.info(text),
    }).finally(() => (this.isRunning = false));
    if (outcome === undefined) return;
    const { kept, removed, seconds, nothingToDo } = outcome;
    this.reports.log.info({ kept, removed, seconds, nothingToDo }, 'a snapshot of the log is done');
    this.reports.alerts.clear('snapshot.failing');
  }

  private failed(error: unknown): void {
    const { log, outages } = this.reports;
    if ((error as { code?: unknown }).code === 'maintenance.busy') {
      log.info('a snapshot of the log is skipped: other maintenance runs');
      return;
    }
    if (outages.report(error) !== undefined) return;
    log.debug({ err: error }, 'a snapshot of the log failed');
    this.raise(safeMessage(error), '`nodeledger snapshot` tries it now and shows what fails.');
  }

  private raise(reason: string, hint: string): void {
    this.reports.alerts.raise('snapshot.failing', {
      severity: 'warning',
      message: `A snapshot of the log failed: ${reason}`,
      effect: 'The log is unchanged, and grows. Commands and queries continue.',
      hint: `It is tried again within an hour. ${hint}`,
    });
  }

  private async isDue(): Promise<boolean> {
    const [oldest] = await new Generations(this.db).list();
    const since = (await lastSnapshotAt(this.db)) ?? Date.parse(oldest?.createdAt ?? new Date().toISOString());
    return Date.now() - since >= this.intervalMs;
  }
}
