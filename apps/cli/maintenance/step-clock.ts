import type { ReplayProgress } from '#projections';

/** Where a step stands, with what its pace so far lets one expect. */
export interface StepProgress extends ReplayProgress {
  /** Since the step began. */
  readonly seconds: number;
  readonly perSecond: number;
  /** Undefined while nothing can be said. */
  readonly secondsLeft: number | undefined;
  /** True where this is not a step of the same name and size as before, gone further. */
  readonly begins: boolean;
}

/**
 * Takes progress with the times at which it was reported; gives paces. A step begins when the one before it was last
 * reported: its own first report is of work done.
 */
export class StepClock {
  private last: { readonly step: string; readonly done: number; readonly total: number } | undefined;
  private heardAt: number;
  private beganAt: number;

  constructor(now: number) {
    this.heardAt = now;
    this.beganAt = now;
  }

  look(progress: ReplayProgress, now: number): StepProgress {
    const { step, done, total } = progress;
    const begins =
      this.last === undefined || this.last.step !== step || this.last.total !== total || done < this.last.done;
    if (begins) this.beganAt = this.heardAt;
    this.last = { step, done, total };
    this.heardAt = now;
    const seconds = Math.max(0, now - this.beganAt) / 1000;
    const perSecond = seconds > 0 ? done / seconds : 0;
    const secondsLeft = perSecond > 0 ? Math.max(0, total - done) / perSecond : undefined;
    return { ...progress, seconds, perSecond, secondsLeft, begins };
  }
}
