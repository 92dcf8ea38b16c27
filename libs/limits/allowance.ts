/**
 * Token bucket: so many events per second, and so many at once after a pause. Pure: the caller passes the time in
 * milliseconds.
 */
export class Allowance {
  /** Time at which all taken events are paid for. */
  private paidAt = -Infinity;
  private readonly intervalMs: number;

  constructor(
    perSecond: number,
    private readonly atOnce: number,
  ) {
    this.intervalMs = 1_000 / perSecond;
  }

  /** Returns how long one more event must wait. */
  waitMs(now: number): number {
    return Math.max(0, this.paidAt - now - this.intervalMs * (this.atOnce - 1));
  }

  /** Takes one event, whether it must wait or not. */
  take(now: number): void {
    this.paidAt = Math.max(this.paidAt, now) + this.intervalMs;
  }

  /** Returns whether the bucket is full. */
  isWhole(now: number): boolean {
    return this.paidAt <= now;
  }
}
