import { withTimeout } from '#fault';

interface CachedOptions {
  /** Time for which a value is used, in milliseconds. */
  readonly forMs: number;
  /** The longest time that a caller waits for a new value, in milliseconds. It then gets the last value. */
  readonly patienceMs: number;
  readonly clock?: () => number;
}

/** Keeps a value that is costly to read. Reads it once at a time, however many callers there are. */
export class Cached<T> {
  private last: T | undefined;
  private triedAt = -Infinity;
  private pending: Promise<T | undefined> | undefined;

  constructor(
    private readonly work: () => Promise<T>,
    private readonly options: CachedOptions,
  ) {}

  /** Returns the last value that was read, or undefined if there is none. Never throws: if reading fails, the last value stays. */
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
