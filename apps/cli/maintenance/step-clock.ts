import type { ReplayProgress } from '#projections';

/** The progress of a step, with its rate and the time that it will still take. */
export interface StepProgress extends ReplayProgress {
  /** Since the step began. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Undefined while the rate is not known. */
  readonly secondsLeft: number | undefined;
  /** True if this report begins a step: another name or size than before, or less progress. */
  readonly begins: boolean;
}

/**
 * Takes progress with the times at which it was reported; gives rates. A step begins when the one before it was last
 * reported: its own first report is of work done.
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
