/** So many events a second, and so many at once after a rest. Pure: the caller tells the time, in milliseconds. */
export class Allowance {
  /** When everything that was taken is paid for. */
  private paidAt = -Infinity;
  private readonly intervalMs: number;

  constructor(
    perSecond: number,
    private readonly atOnce: number,
  ) {
    this.intervalMs = 1_000 / perSecond;
  }

  /** How long one more event has to wait for its turn. */
  waitMs(now: number): number {
    return Math.max(0, this.paidAt - now - this.intervalMs * (this.atOnce - 1));
  }

  /** Takes one, whether it has to wait or not. */
  take(now: number): void {
    this.paidAt = Math.max(this.paidAt, now) + this.intervalMs;
  }

  /** Whether it is as if nothing had been taken. */
  isWhole(now: number): boolean {
    return this.paidAt <= now;
  }
}
