import { isFault } from '#fault';
import { clientLeft, explainDatabaseError, timedOut } from './database-error';

/** The time limit of one request, from its arrival to the last byte of its answer. */
export class Deadline {
  private readonly end: number;

  /** `start` is the time from performance.now() at which the request arrived. */
  constructor(
    readonly timeoutMs: number,
    private readonly start = performance.now(),
  ) {
    this.end = start + timeoutMs;
  }

  /** Ignores a longer timeout. */
  shortened(timeoutMs: number | undefined): Deadline {
    return timeoutMs === undefined || timeoutMs >= this.timeoutMs ? this : new Deadline(timeoutMs, this.start);
  }

  remainingMs(): number {
    return Math.max(0, this.end - performance.now());
  }

  /**
   * Runs `work` with a signal that aborts at the deadline or when one of `signals` aborts. `work` must end when the
   * signal aborts. Converts errors of `work` to the faults for the client.
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
