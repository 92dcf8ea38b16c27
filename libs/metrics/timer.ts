import { Distribution } from './distribution';
import { Rates, type RateValues } from './rates';

const hourMs = 3_600_000;
const timerBoundsMs = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000];

/**
 * Durations are in milliseconds, with a precision of microseconds. In percentiles, a duration above an hour counts as
 * an hour.
 */
export class Timer extends Distribution {
  static readonly bounds: readonly number[] = timerBoundsMs;
  private readonly rate: Rates;

  constructor(clock: () => number = () => performance.now()) {
    super({ highest: hourMs, step: 0.001, bounds: timerBoundsMs, clock });
    this.rate = new Rates(clock);
  }

  override record(ms: number, now = this.clock()): void {
    super.record(ms, now);
    this.rate.mark(1, now);
  }

  rates(): RateValues {
    return this.rate.values();
  }
}
