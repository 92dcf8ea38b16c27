import { setTimeout as delay } from 'node:timers/promises';

/** Longest delay of a timer. A longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs a task repeatedly until it is stopped, for the first time after one interval. The interval is the time from the
 * end of a run to the start of the next.
 */
export class RepeatedTask {
  private stopping: AbortController | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly intervalMs: number,
    private readonly run: (signal: AbortSignal) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Does nothing if it is started already. It may be started again after `stop`. */
  start(): void {
    if (this.stopping !== undefined) return;
    const { signal } = (this.stopping = new AbortController());
    this.running = this.running.then(() => this.repeat(signal));
  }

  /** Resolves when the current run has ended. Its failure after this call is not reported. */
  stop(): Promise<void> {
    this.stopping?.abort();
    this.stopping = undefined;
    return this.running;
  }

  private async repeat(signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(Math.min(longestTimerMs, this.intervalMs), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.run(signal);
      } catch (error) {
        if (!signal.aborted) this.onError(error);
      }
    }
  }
}
