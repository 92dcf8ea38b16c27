import { Distribution, type Statistics } from './distribution';
import { Rates, type RateValues } from './rates';

const hourMs = 3_600_000;
const timerBoundsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000];

/**
 * Durations are in milliseconds, with a precision of microseconds. In percentiles, a duration above an hour counts as
 * an hour.
 */
export class Timer {
  static readonly bounds: readonly number[] = timerBoundsMs;
  private readonly durations: Distribution;
  private readonly rate: Rates;

  constructor(private readonly clock: () => number = () => performance.now()) {
    this.durations = new Distribution({ highest: hourMs, step: 0.001, bounds: timerBoundsMs, clock });
    this.rate = new Rates(clock);
  }

  get bounds(): readonly number[] {
    return this.durations.bounds;
  }

  get count(): number {
    return this.durations.count;
  }

  get sum(): number {
    return this.durations.sum;
  }

  record(ms: number): void {
    const now = this.clock();
    this.durations.record(ms, now);
    this.rate.mark(1, now);
  }

  cumulative(): number[] {
    return this.durations.cumulative();
  }

  statistics(): Statistics {
    return this.durations.statistics();
  }

  rates(): RateValues {
    return this.rate.values();
  }
}
