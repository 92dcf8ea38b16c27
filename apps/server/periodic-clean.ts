import { setTimeout as delay } from 'node:timers/promises';
import { Clean, type Cleaned, everything, type CleanHandler } from '#admin';
import { type Database, type Generations, ifAlone } from '#database';
import { isFault } from '#fault';
import type { Log } from '#observe';
import { projectionVersion } from '#projections';

/** What a timer can hold; a longer one would go off at once. */
const longestIntervalMs = 2 ** 31 - 1;

const busy = (error: unknown): boolean => isFault(error) && error.code === 'admin.running';

/**
 * Does all maintenance, again and again; the first time after one interval. Of several processes on one database, one
 * does it at a time.
 */
export class PeriodicClean {
  private readonly stopping = new AbortController();
  private kept: Promise<void> | undefined;

  constructor(
    private readonly handler: CleanHandler,
    private readonly db: Database,
    private readonly generations: Generations,
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
        const done = await this.clean(signal);
        if (done === undefined) this.log.info('periodic maintenance is left out: somebody else is at it');
        else if (done !== 'other form') this.log.info(done, 'periodic maintenance is done');
      } catch (error) {
        if (signal.aborted) return;
        this.log.error({ err: error }, 'periodic maintenance failed');
      }
    }
  }

  /** Undefined where somebody else is at it; nothing is looked up in tables of another release. */
  private async clean(signal: AbortSignal): Promise<Cleaned | 'other form' | undefined> {
    const live = await this.generations.live(true);
    if (live?.projectionVersion !== projectionVersion) return 'other form';
    const clean = (): Promise<Cleaned | undefined> =>
      this.handler.execute(new Clean(everything, signal)).catch((error: unknown) => {
        if (busy(error)) return undefined;
        throw error;
      });
    return ifAlone(this.db, 'periodic maintenance', clean);
  }
}
