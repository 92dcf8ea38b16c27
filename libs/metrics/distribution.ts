import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Percentiles leave out values that are older than this (at most twice as old) when newer ones exist. */
const windowMs = 300_000;
/** Two significant digits: every percentile is exact to one percent. */
const digits = 2;

interface DistributionOptions {
  /** Larger values count as this value. */
  readonly highest: number;
  /** Smallest relevant difference: 0.001 for milliseconds with a precision of microseconds. Default 1. */
  readonly step?: number;
  /** Upper bounds of the buckets since the start, ascending. */
  readonly bounds: readonly number[];
  /** Returns milliseconds. */
  readonly clock?: () => number;
}

export const percentages = [50, 75, 95, 98, 99, 99.9] as const;

/** Statistics of the values in about the last five minutes. All are 0 before the first value. */
export interface Statistics {
  /** Number of values. */
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly standardDeviation: number;
  /** Percentiles, one for each of `percentages`. */
  readonly percentiles: readonly number[];
}

/**
 * Distribution of values that are not negative, such as durations and sizes. Counts them in buckets since the start, and
 * keeps the recent ones in HDR histograms for percentiles. Recording creates no objects and takes constant time; memory
 * is fixed.
 */
export class Distribution {
  private readonly highest: number;
  private readonly step: number;
  /** Upper bounds of the buckets. */
  readonly bounds: readonly number[];
  private readonly clock: () => number;
  private readonly buckets: Float64Array;
  /** Values of the current and the previous window. Created with the first value, because most meters never get one. */
  private current: RecordableHistogram | undefined;
  private previous: RecordableHistogram | undefined;
  private windowBegan = 0;
  private values = 0;
  private total = 0;
  /** The last result, which is valid until the next value. */
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

  /** `now` is the time of the clock, if the caller has read it. */
  record(value: number, now = this.clock()): void {
    const valid = value > 0 ? value : 0;
    this.values += 1;
    this.total += valid;
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && valid > (bounds[bucket] as number)) bucket++;
    if (bucket < bounds.length) this.buckets[bucket]! += 1;
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

  /** Without new values, the last ones stay. */
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

/** Returns an empty histogram for adding up others. The next call empties it again. */
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
