import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** Percentiles are computed from the values in the current window and in the previous window. */
const windowMs = 300_000;
/** With two significant digits, each percentile is exact to one percent. */
const digits = 2;

interface DistributionOptions {
  /** A larger value is recorded as this value. */
  readonly highest: number;
  /**
   * Smallest difference that percentiles distinguish, such as 0.001 for milliseconds with a precision of microseconds.
   */
  readonly step?: number;
  /** Upper bounds in ascending order. */
  readonly bounds: readonly number[];
  /** Returns milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

export const percentages = [50, 75, 95, 98, 99, 99.9] as const;

/** Statistics of the values in the last five to ten minutes. All numbers are 0 before the first value. */
export interface Statistics {
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly standardDeviation: number;
  /** In the order of `percentages`. */
  readonly percentiles: readonly number[];
}

/**
 * Buckets count all values since the start. HDR histograms of recent values give the percentiles. Recording a value
 * takes constant time, creates no objects, and needs no further memory.
 */
export class Distribution {
  private readonly highest: number;
  private readonly step: number;
  readonly bounds: readonly number[];
  protected readonly clock: () => number;
  private readonly buckets: Float64Array;
  /** The histograms are created with the first value, because most meters never get a value. */
  private current: RecordableHistogram | undefined;
  private previous: RecordableHistogram | undefined;
  private windowBegan = 0;
  private values = 0;
  private total = 0;
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

  /** Callers that have already read the clock pass its time as `now`. */
  record(value: number, now = this.clock()): void {
    const valid = value > 0 ? value : 0;
    this.values += 1;
    this.total += valid;
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && valid > (bounds[bucket] as number)) bucket++;
    if (bucket < bounds.length) this.buckets[bucket]! += 1;
    // Adds 1, because a histogram cannot record 0.
    this.window(now).record(Math.min(this.highest, Math.round(valid / this.step)) + 1);
  }

  /** Returns for each bound the number of values that do not exceed the bound. */
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

  /** A new window begins only when a value is recorded, so the statistics stay if no further values are recorded. */
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

/** Each call with the same `highest` empties and returns the same histogram. */
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
