import { withTimeout } from '../with-timeout';

interface CachedOptions {
  /** A value is good for so long. Milliseconds. */
  readonly forMs: number;
  /** How long a caller waits for a new one; then it gets the last one. */
  readonly patienceMs: number;
  readonly clock?: () => number;
}

/** A value that is costly to get, kept for a while. However many ask, it is got once at a time. */
export class Cached<T> {
  private last: T | undefined;
  private triedAt = -Infinity;
  private pending: Promise<T | undefined> | undefined;

  constructor(
    private readonly work: () => Promise<T>,
    private readonly options: CachedOptions,
  ) {}

  /** The last value that was got; undefined where there is none. Never throws: where the work fails, the last value stays. */
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
