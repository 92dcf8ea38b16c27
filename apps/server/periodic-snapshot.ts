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

export interface SnapshotTask extends ProjectorTask {
  readonly historyMs: number;
}

/**
 * Longest time between two checks. Checks are necessary, because another process or a change of the clock can change
 * the time at which the next snapshot is due.
 */
const longestCheckMs = 3_600_000;
/** In each interval, at least this many checks run, because the log can reach its limit before the interval ends. */
const checks = 100;

/**
 * If the log is larger than its limit, a snapshot shrinks it to this share of the limit, so that the next snapshot is
 * not due at once.
 */
const shareOfLimit = 0.75;
/**
 * If the log stays above its limit after a snapshot, the next snapshot starts when the log has grown by this factor.
 */
const growth = 1.1;

export interface LimitedSize extends LogUse {
  readonly mostBytes: number;
}

/** Returns the longest history, in milliseconds, with which the log is small enough after a snapshot. */
export function historyWithin({ bytes, mostBytes, tailBytes, since = Infinity }: LimitedSize, now: number): number {
  const tooMuch = bytes - shareOfLimit * mostBytes;
  return tailBytes <= 0 ? 0 : Math.floor(Math.max(0, now - since) * Math.max(0, 1 - tooMuch / tailBytes));
}

/** The interval begins at the last snapshot that any process has made. */
export class PeriodicSnapshot {
  private readonly repeated: RepeatedTask;
  private isRunning = false;
  /** Size of the log in bytes after the last snapshot if this size is above the limit, otherwise 0. */
  private needed = 0;

  constructor(
    private readonly db: Database,
    private readonly task: SnapshotTask,
    private readonly intervalMs: number,
    private readonly reports: Reports,
    private readonly replayed: Pick<Counter, 'add'>,
    private readonly size?: () => Promise<LimitedSize>,
  ) {
    this.repeated = new RepeatedTask(
      Math.min(longestCheckMs, Math.ceil(intervalMs / checks)),
      (signal) => this.runIfDue(signal),
      (error) => this.failed(error),
    );
  }

  start(): void {
    this.repeated.start();
  }

  /** If a cancelled snapshot has already begun to remove records, the next snapshot removes the others. */
  stop(): Promise<void> {
    return this.repeated.stop();
  }

  /** Stops periodic snapshots until `start` is called, because a snapshot needs disk space. */
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

  /** A snapshot keeps the records whose content is in the read tables, so the log can stay too large. */
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
