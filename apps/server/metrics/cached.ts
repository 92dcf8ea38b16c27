import { withTimeout } from '#fault';

interface CachedOptions {
  readonly forMs: number;
  /** If a caller has waited this long for a new value, it gets the previous value. */
  readonly patienceMs: number;
  readonly clock?: () => number;
}

/** Calls `work` at most once at a time. Callers that ask during this call share its result. */
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
