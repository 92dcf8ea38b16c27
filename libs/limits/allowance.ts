/**
 * Token bucket: allows `perSecond` events per second on average, and up to `atOnce` events at once after a pause. Times
 * are in milliseconds.
 */
export class Allowance {
  /** Time at which the bucket will be full again. */
  private paidAt = -Infinity;
  private readonly intervalMs: number;

  constructor(
    perSecond: number,
    private readonly atOnce: number,
  ) {
    this.intervalMs = 1_000 / perSecond;
  }

  waitMs(now: number): number {
    return Math.max(0, this.paidAt - now - this.intervalMs * (this.atOnce - 1));
  }

  /** Takes one event from the bucket, even if the bucket is empty. */
  take(now: number): void {
    this.paidAt = Math.max(this.paidAt, now) + this.intervalMs;
  }

  isWhole(now: number): boolean {
    return this.paidAt <= now;
  }
}
