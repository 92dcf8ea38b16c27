import { setTimeout as delay } from 'node:timers/promises';

/** A timer of Node.js with a longer delay would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The first run starts after one interval. The interval is the time from the end of one run to the start of the next
 * run.
 */
export class RepeatedTask {
  private stopping: AbortController | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly intervalMs: number,
    private readonly run: (signal: AbortSignal) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** `start` may be called again after `stop`. */
  start(): void {
    if (this.stopping !== undefined) return;
    const { signal } = (this.stopping = new AbortController());
    this.running = this.running.then(() => this.repeat(signal));
  }

  /** Resolves when the current run has ended, and ignores the error of this run. */
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
