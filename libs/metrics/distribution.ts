import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Values older than this, and at most twice as old, no longer count in the percentiles once newer ones come. */
const windowMs = 300_000;
/** Two significant digits: every percentile is right to one percent. */
const digits = 2;

interface DistributionOptions {
  /** Values above this count as this. */
  readonly highest: number;
  /** The smallest difference that matters: 0.001 for milliseconds that are told apart to the microsecond. Default 1. */
  readonly step?: number;
  /** Upper bounds of the buckets that are counted since the beginning, ascending. */
  readonly bounds: readonly number[];
  /** Returns milliseconds. */
  readonly clock?: () => number;
}

export const percentages = [50, 75, 95, 98, 99, 99.9] as const;

/** Statistics of the values of about the last five minutes. All are 0 if there never was a value. */
export interface Statistics {
  /** The number of values. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly standardDeviation: number;
  /** The percentiles of the values, one for each of `percentages`. */
  readonly percentiles: readonly number[];
}

/**
 * Values that are not negative, such as durations and sizes. Counts them in buckets since the beginning, and keeps the
 * recent ones in HDR histograms for percentiles. Recording makes no objects and takes constant time; memory is fixed.
 */
export class Distribution {
  private readonly highest: number;
  private readonly step: number;
  /** Upper bounds of the buckets. */
  readonly bounds: readonly number[];
  private readonly clock: () => number;
  private readonly buckets: Float64Array;
  /** Values of this window and of the one before it. They are made with the first value: most meters never get one. */
  private current: RecordableHistogram | undefined;
  private previous: RecordableHistogram | undefined;
  private windowBegan = 0;
  private values = 0;
  private total = 0;
  /** The last answer, which is right until the next value. */
  private known: { readonly values: number; readonly statistics: Statistics } | undefined;

  constructor({ highest, step = 1, bounds, clock = () => performance.now() }: DistributionOptions) {
    this.step = step;
    this.highest = Math.round(highest / step);
    this.bounds = bounds;
    this.clock = clock;
    this.buckets = new Float64Array(bounds.length);
  }

  get count(): number {
    return this.values;
  }

  get sum(): number {
    return this.total;
  }

  /** `now`: what the clock says, where the caller knows. */
  record(value: number, now = this.clock()): void {
    const valid = value > 0 ? value : 0;
    this.values += 1;
    this.total += valid;
    const { bounds } = this;
    let place = 0;
    while (place < bounds.length && valid > (bounds[place] as number)) place++;
    if (place < bounds.length) this.buckets[place]! += 1;
    // The histogram begins with 1.
    this.window(now).record(Math.min(this.highest, Math.round(valid / this.step)) + 1);
  }

  /** Returns for each bound the number of values since the start that do not exceed it. */
  cumulative(): number[] {
    let sum = 0;
    return [...this.buckets].map((count) => (sum += count));
  }

  statistics(): Statistics {
    if (this.known?.values !== this.values) this.known = { values: this.values, statistics: this.newStatistics() };
    return this.known.statistics;
  }

  private newStatistics(): Statistics {
    const { current, previous, step } = this;
    if (current === undefined) return nothing;
    const recent = scratchFor(this.highest);
    if (previous !== undefined) recent.add(previous);
    recent.add(current);
    const scaled = (stored: number): number => Math.max(0, stored - 1) * step;
    return {
      count: recent.count,
      min: scaled(recent.min),
      max: scaled(recent.max),
      mean: scaled(recent.mean),
      standardDeviation: recent.stddev * step,
      percentiles: percentages.map((percentage) => scaled(recent.percentile(percentage))),
    };
  }

  /** Where nothing is recorded for long, the last values stay: they are still the best that is known. */
  private window(now: number): RecordableHistogram {
    if (this.current === undefined) {
      this.current = newHistogram(this.highest);
      this.windowBegan = now;
    } else if (now - this.windowBegan >= windowMs) {
      const isRecent = now - this.windowBegan < 2 * windowMs;
      const next = isRecent ? (this.previous ?? newHistogram(this.highest)) : this.current;
      this.previous = isRecent ? this.current : undefined;
      next.reset();
      this.current = next;
      this.windowBegan = now;
    }
    return this.current;
  }
}

const newHistogram = (highest: number): RecordableHistogram =>
  createHistogram({ lowest: 1, highest: highest + 1, figures: digits });

const scratches = new Map<number, RecordableHistogram>();

/** An empty histogram to add up others in. The next call empties it again. */
function scratchFor(highest: number): RecordableHistogram {
  const found = scratches.get(highest) ?? newHistogram(highest);
  scratches.set(highest, found);
  found.reset();
  return found;
}

const nothing: Statistics = {
  count: 0,
  min: 0,
  max: 0,
  mean: 0,
  standardDeviation: 0,
  percentiles: percentages.map(() => 0),
};
