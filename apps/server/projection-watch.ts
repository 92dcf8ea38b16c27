import { setTimeout as delay } from 'node:timers/promises';
import { appliedPositions, type Database } from '#database';
import type { CommandLog } from '#log';
import type { Alerts } from '#observe';
import { inTime } from './in-time';
import type { Outages } from './outages';
import { waitingCommands } from './waiting-commands';

export interface ProjectionWatchOptions {
  readonly log: Pick<CommandLog, 'ends'>;
  readonly db: Database;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'isDown' | 'met'>;
  /** Default: ten seconds. */
  readonly everyMs?: number;
  /** How long commands may wait without any being applied; default: a minute. */
  readonly patienceMs?: number;
}

/** A look may take so long; the stop waits for it. */
const lookMs = 5_000;

/**
 * Raises an alert when commands wait in the log and none is applied, whether the projector runs in this process, in another
 * one, or nowhere. Raises none while PostgreSQL or the log is down, because that has an alert of its own.
 */
export class ProjectionWatch {
  private readonly stopping = new AbortController();
  private kept: Promise<void> | undefined;
  private applied = '';
  private movedAt = performance.now();

  constructor(private readonly options: ProjectionWatchOptions) {}

  start(): void {
    this.kept ??= this.keep(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.kept;
  }

  private async keep(signal: AbortSignal): Promise<void> {
    const { everyMs = 10_000, outages } = this.options;
    while (!signal.aborted) {
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.look();
      } catch (error) {
        outages.met(error);
        this.movedAt = performance.now();
      }
    }
  }

  private async look(): Promise<void> {
    const { log, db, alerts, outages, patienceMs = 60_000 } = this.options;
    const found = await inTime(Promise.all([log.ends(), appliedPositions(db)]), lookMs);
    if (found === undefined) throw new Error(`the log or the database gave no answer within ${lookMs / 1_000} s`);
    const [ends, applied] = found;
    const waiting = waitingCommands(ends, applied);
    const seen = JSON.stringify([...applied].sort(([a], [b]) => a - b));
    const isMoving = waiting === 0 || seen !== this.applied;
    // What stands in the way has an alert of its own.
    const isTold = outages.isDown || alerts.active().some(({ code }) => code === 'projector.ended');
    if (isMoving) alerts.clear('projector.stalled');
    if (isMoving || isTold) {
      this.applied = seen;
      this.movedAt = performance.now();
      return;
    }
    const stalledMs = performance.now() - this.movedAt;
    if (stalledMs < patienceMs) return;
    alerts.raise('projector.stalled', {
      message: `${waiting} commands wait in the log, and none has been applied for ${Math.round(stalledMs / 1_000)} s.`,
      effect: 'Commands are taken. Queries do not show the ones that wait.',
      hint: 'See that a process with the role project runs, and what its log says.',
    });
  }
}
