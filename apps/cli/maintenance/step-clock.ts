import type { ReplayProgress } from '#projections';

export interface StepProgress extends ReplayProgress {
  readonly seconds: number;
  readonly perSecond: number;
  readonly secondsLeft: number | undefined;
  /**
   * Whether this is the first report of a step. A report begins a new step if its name or size differs from the
   * previous report, or if its progress is smaller.
   */
  readonly begins: boolean;
}

/**
 * The time of a step begins at the last report of the previous step, because the first report of a step already
 * includes work.
 */
export class StepClock {
  private last: { readonly step: string; readonly done: number; readonly total: number } | undefined;
  private reportedAt: number;
  private beganAt: number;

  constructor(now: number) {
    this.reportedAt = now;
    this.beganAt = now;
  }

  update(progress: ReplayProgress, now: number): StepProgress {
    const { step, done, total } = progress;
    const begins =
      this.last === undefined || this.last.step !== step || this.last.total !== total || done < this.last.done;
    if (begins) this.beganAt = this.reportedAt;
    this.last = { step, done, total };
    this.reportedAt = now;
    const seconds = Math.max(0, now - this.beganAt) / 1000;
    const perSecond = seconds > 0 ? done / seconds : 0;
    const secondsLeft = perSecond > 0 ? Math.max(0, total - done) / perSecond : undefined;
    return { ...progress, seconds, perSecond, secondsLeft, begins };
  }
}
