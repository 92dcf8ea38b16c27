import { setTimeout as delay } from 'node:timers/promises';

/** Longest delay that a timer of Node.js supports, in milliseconds. With a longer delay, a timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Runs a task repeatedly until `stop`. The first run starts after one interval. The interval is the time from the end
 * of one run to the start of the next.
 */
export class RepeatedTask {
  private stopping: AbortController | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly intervalMs: number,
    private readonly run: (signal: AbortSignal) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Starts the repetition. Does nothing if it is already started. `start` may be called again after `stop`. */
  start(): void {
    if (this.stopping !== undefined) return;
    const { signal } = (this.stopping = new AbortController());
    this.running = this.running.then(() => this.repeat(signal));
  }

  /** Ends the repetition, and resolves when the current run has ended. An error of the current run is then ignored. */
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
