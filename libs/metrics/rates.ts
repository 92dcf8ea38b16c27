const tickSeconds = 5;
/** Returns the weight of one update in an average over `minutes`, as in the load averages of Unix. */
const shareOf = (minutes: number): number => 1 - Math.exp(-tickSeconds / (minutes * 60));
const shares = { one: shareOf(1), five: shareOf(5), fifteen: shareOf(15) };
/**
 * After this many updates without events, all averages are 0. Together, these updates take ten times the period of the
 * longest average.
 */
const forgottenAfter = (10 * 15 * 60) / tickSeconds;

export interface RateValues {
  /** Average events per second since the meter was created. The other members are averages over the last minutes. */
  readonly mean: number;
  readonly oneMinute: number;
  readonly fiveMinutes: number;
  readonly fifteenMinutes: number;
}

/**
 * The averages over minutes are exponentially weighted and are updated every 5 seconds. The first update sets them to
 * the rate in the first 5 seconds.
 */
export class Rates {
  private readonly startedAt: number;
  private tickAt: number;
  private events = 0;
  /** Number of events since the last update. */
  private fresh = 0;
  private isFirst = true;
  private one = 0;
  private five = 0;
  private fifteen = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {
    this.startedAt = clock();
    this.tickAt = this.startedAt;
  }

  get count(): number {
    return this.events;
  }

  /** Callers that have already read the clock pass its time as `now`. */
  mark(events = 1, now = this.clock()): void {
    this.update(now);
    this.events += events;
    this.fresh += events;
  }

  values(): RateValues {
    this.update(this.clock());
    const seconds = (this.clock() - this.startedAt) / 1_000;
    return {
      mean: seconds > 0 ? this.events / seconds : 0,
      oneMinute: this.one,
      fiveMinutes: this.five,
      fifteenMinutes: this.fifteen,
    };
  }

  private update(now: number): void {
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
