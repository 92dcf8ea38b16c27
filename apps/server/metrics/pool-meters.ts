import type { PoolCounts, PoolObserver } from '#database';
import { Distribution, Rates, Timer } from '#metrics';

export class PoolMeters implements PoolObserver {
  readonly waitTime = new Timer();
  /** Time that a caller holds a connection, in milliseconds. */
  readonly usage = new Distribution({ highest: 3_600_000, bounds: Timer.bounds });
  readonly failures = new Rates();
  private source: { readonly connections: PoolCounts } | undefined;

  attach(pool: { readonly connections: PoolCounts }): void {
    this.source = pool;
  }

  get counts(): PoolCounts {
    return this.source?.connections ?? { active: 0, idle: 0, pending: 0, total: 0, max: 0 };
  }

  waited(ms: number): void {
    this.waitTime.record(ms);
  }

  used(ms: number): void {
    this.usage.record(ms);
  }

  failed(): void {
    this.failures.mark();
  }
}
