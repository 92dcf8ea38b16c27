import { withTimeout } from '#fault';

interface CachedOptions {
  /** Number of milliseconds for which `get` returns a value without reading it again. */
  readonly forMs: number;
  /**
   * Longest time that a caller waits for a new value, in milliseconds. After this time, the caller gets the last value.
   */
  readonly patienceMs: number;
  readonly clock?: () => number;
}

/** Caches a value that is costly to read. All callers share one read at a time. */
export class Cached<T> {
  private last: T | undefined;
  private triedAt = -Infinity;
  private pending: Promise<T | undefined> | undefined;

  constructor(
    private readonly work: () => Promise<T>,
    private readonly options: CachedOptions,
  ) {}

  /** Makes the next call of `get` read the value again. */
  expire(): void {
    this.triedAt = -Infinity;
  }

  /**
   * Returns the current value, or undefined if none has been read. If reading fails, returns the last value instead of
   * throwing.
   */
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
