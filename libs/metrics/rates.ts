/** How often the rates are brought up to date, in seconds. */
const tickSeconds = 5;
/** What one tick counts for in the average over so many minutes, as in the load averages of Unix. */
const shareOf = (minutes: number): number => 1 - Math.exp(-tickSeconds / (minutes * 60));
const shares = { one: shareOf(1), five: shareOf(5), fifteen: shareOf(15) };
/** After this many empty ticks nothing is left of a rate: ten times the longest average. */
const forgottenAfter = (10 * 15 * 60) / tickSeconds;

/** Events a second. */
export interface RateValues {
  /** Since the meter was made. */
  readonly mean: number;
  readonly oneMinute: number;
  readonly fiveMinutes: number;
  readonly fifteenMinutes: number;
}

/**
 * Counts events, and tells how often they happen: on average since the beginning, and as exponentially weighted moving
 * averages over 1, 5 and 15 minutes. The averages move every 5 seconds, and begin with the rate of the first 5 seconds.
 */
export class Rates {
  private readonly startedAt: number;
  private tickAt: number;
  private events = 0;
  /** Events since the last tick. */
  private fresh = 0;
  private isFirst = true;
  private one = 0;
  private five = 0;
  private fifteen = 0;

  /** `clock` gives milliseconds. */
  constructor(private readonly clock: () => number = () => performance.now()) {
    this.startedAt = clock();
    this.tickAt = this.startedAt;
  }

  get count(): number {
    return this.events;
  }

  /** `now`: what the clock says, where the caller knows. */
  mark(events = 1, now = this.clock()): void {
    this.bringUpToDate(now);
    this.events += events;
    this.fresh += events;
  }

  values(): RateValues {
    this.bringUpToDate(this.clock());
    const seconds = (this.clock() - this.startedAt) / 1_000;
    return {
      mean: seconds > 0 ? this.events / seconds : 0,
      oneMinute: this.one,
      fiveMinutes: this.five,
      fifteenMinutes: this.fifteen,
    };
  }

  private bringUpToDate(now: number): void {
    const tooEarly = now - this.tickAt < tickSeconds * 1_000;
    if (tooEarly) return;
    const passed = Math.floor((now - this.tickAt) / 1_000 / tickSeconds);
    this.tickAt += passed * tickSeconds * 1_000;
    this.tick();
    if (passed > forgottenAfter) this.one = this.five = this.fifteen = 0;
    else for (let more = 1; more < passed; more++) this.tick();
  }

  private tick(): void {
    const rate = this.fresh / tickSeconds;
    this.fresh = 0;
    if (this.isFirst) {
      this.isFirst = false;
      this.one = this.five = this.fifteen = rate;
      return;
    }
    this.one += shares.one * (rate - this.one);
    this.five += shares.five * (rate - this.five);
    this.fifteen += shares.fifteen * (rate - this.fifteen);
  }
}
