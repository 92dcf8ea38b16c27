import { isFault } from '#fault';
import { clientLeft, explainDatabaseError, timedOut } from './database-error';

/** The time of one request, from its arrival to the last byte of its answer. */
export class Deadline {
  private readonly end: number;

  /** `start`: when the request came, by performance.now(). */
  constructor(
    readonly timeoutMs: number,
    private readonly start = performance.now(),
  ) {
    this.end = start + timeoutMs;
  }

  /** The same start with less time; never with more. */
  shortened(timeoutMs: number | undefined): Deadline {
    return timeoutMs === undefined || timeoutMs >= this.timeoutMs ? this : new Deadline(timeoutMs, this.start);
  }

  /** Milliseconds; 0 when it is over. */
  remainingMs(): number {
    return Math.max(0, this.end - performance.now());
  }

  /**
   * Runs `work` with a signal that aborts when the time is over or one of `signals` aborts. `work` must end then. Its
   * errors become the faults that the client gets (`explainDatabaseError`).
   */
  async during<T>(signals: readonly AbortSignal[], work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(timedOut(this.timeoutMs)), this.remainingMs());
    const signal = AbortSignal.any([...signals, over.signal]);
    try {
      return await work(signal);
    } catch (error) {
      if (!signal.aborted) throw explainDatabaseError(error, this.timeoutMs);
      throw isFault(signal.reason) ? signal.reason : clientLeft(signal.reason);
    } finally {
      clearTimeout(timer);
    }
  }
}
