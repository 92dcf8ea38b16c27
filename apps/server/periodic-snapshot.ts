import { showByteSize } from '#config';
import { Generations, type Database } from '#database';
import type { LogUse } from '#log';
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

/** A snapshot because of the size leaves this share of the limit, so that the next one is not due at once. */
const shareOfLimit = 0.75;
/** If a snapshot leaves more than the limit, the next one is made when the log is this many times as large. */
const growth = 1.1;

/** What the log uses, and its limit. */
export interface LimitedSize extends LogUse {
  readonly mostBytes: number;
}

/** Returns how much history may stay so that the log is small enough, in milliseconds. */
export function historyWithin({ bytes, mostBytes, tailBytes, since = Infinity }: LimitedSize, now: number): number {
  const tooMuch = bytes - shareOfLimit * mostBytes;
  return tailBytes <= 0 ? 0 : Math.floor(Math.max(0, now - since) * Math.max(0, 1 - tooMuch / tailBytes));
}

/** Makes a snapshot of the log at each interval. The interval counts from the last snapshot of any process. */
export class PeriodicSnapshot {
  private readonly repeated: RepeatedTask;
  private isRunning = false;
  /** Size of the log after a snapshot that left more than the limit. */
  private needed = 0;

  constructor(
    private readonly db: Database,
    private readonly task: SnapshotTask,
    /** Milliseconds from the end of one snapshot to the start of the next. */
    private readonly intervalMs: number,
    private readonly reports: Reports,
    /** Counts the records that snapshots apply. */
    private readonly replayed: Pick<Counter, 'add'>,
    /** Undefined for a log without a limit. */
    private readonly size?: () => Promise<LimitedSize>,
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
    const size = await this.size?.();
    const isTooLarge = size !== undefined && size.bytes > Math.max(size.mostBytes, this.needed * growth);
    if ((!isTooLarge && !(await this.isDue())) || signal.aborted) return;
    const shortMs = isTooLarge ? historyWithin(size, Date.now()) : Infinity;
    this.isRunning = true;
    const task = { ...this.task, historyMs: Math.min(this.task.historyMs, shortMs) };
    const outcome = await runReplayThread<SnapshotOutcome>('snapshot', task, {
      signal,
      onRecords: (records) => this.replayed.add(records),
      onNotice: (text) => this.reports.log.info(text),
    }).finally(() => (this.isRunning = false));
    if (outcome === undefined) return;
    const { kept, removed, seconds, nothingToDo } = outcome;
    this.reports.log.info({ kept, removed, seconds, nothingToDo }, 'a snapshot of the log is done');
    this.reports.alerts.clear('snapshot.failing');
    await this.checkSize();
  }

  /** What the tables show stays in the log, however large it is. */
  private async checkSize(): Promise<void> {
    const size = await this.size?.();
    this.needed = size !== undefined && size.bytes > size.mostBytes ? size.bytes : 0;
    const { alerts } = this.reports;
    if (size === undefined || this.needed === 0) return alerts.clear('log.over-limit');
    alerts.raise('log.over-limit', {
      severity: 'warning',
      message: `The log takes ${showByteSize(size.bytes)}, and at most ${showByteSize(size.mostBytes)} are wanted (NODELEDGER_LOG_MAX_BYTES).`,
      effect: 'Its history is as short as possible. The records that the read tables show stay.',
      hint: 'Keep less in the tables, for example with NODELEDGER_REPORT_TTL, or raise the limit.',
    });
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
