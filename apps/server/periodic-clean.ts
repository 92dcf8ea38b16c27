import { setTimeout as delay } from 'node:timers/promises';
import { Clean, everything, type CleanHandler } from '#admin';
import { isFault } from '#fault';
import type { Log } from '#observe';

/** What a timer can hold; a longer one would go off at once. */
const longestIntervalMs = 2 ** 31 - 1;

/** Does all maintenance, again and again; the first time after one interval. */
export class PeriodicClean {
  private readonly stopping = new AbortController();
  private kept: Promise<void> | undefined;

  constructor(
    private readonly handler: CleanHandler,
    /** Milliseconds between the end of one and the beginning of the next. */
    private readonly intervalMs: number,
    private readonly log: Log,
  ) {}

  start(): void {
    this.kept ??= this.keep(this.stopping.signal);
  }

  /** What is under way is left where it is: its records stand in the log. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.kept;
  }

  private async keep(signal: AbortSignal): Promise<void> {
    for (;;) {
      await delay(Math.min(longestIntervalMs, this.intervalMs), undefined, { signal, ref: false }).catch(
        () => undefined,
      );
      if (signal.aborted) return;
      try {
        this.log.info(await this.handler.execute(new Clean(everything, signal)), 'periodic maintenance is done');
      } catch (error) {
        if (signal.aborted) return;
        const busy = isFault(error) && error.code === 'admin.running';
        if (busy) this.log.info('periodic maintenance is left out: somebody else is at it');
        else this.log.error({ err: error }, 'periodic maintenance failed');
      }
    }
  }
}
