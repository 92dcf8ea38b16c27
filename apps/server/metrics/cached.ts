import { withTimeout } from '#fault';

interface CachedOptions {
  readonly forMs: number;
  /** A caller that has waited this long for a new value gets the last value. */
  readonly patienceMs: number;
  readonly clock?: () => number;
}

/** All callers share one read at a time. */
export class Cached<T> {
  private last: T | undefined;
  private triedAt = -Infinity;
  private pending: Promise<T | undefined> | undefined;

  constructor(
    private readonly work: () => Promise<T>,
    private readonly options: CachedOptions,
  ) {}

  expire(): void {
    this.triedAt = -Infinity;
  }

  /** Returns undefined if no value has been read. If reading fails, returns the last value instead of throwing. */
  async get(): Promise<T | undefined> {
    const now = (this.options.clock ?? (() => performance.now()))();
    if (this.pending === undefined && now - this.triedAt >= this.options.forMs) {
      this.triedAt = now;
      this.pending = this.work()
        .then(
          (value) => (this.last = value),
          () => undefined,
        )
        .finally(() => (this.pending = undefined));
    }
    if (this.pending !== undefined) await withTimeout(this.pending, this.options.patienceMs);
    return this.last;
  }
}
