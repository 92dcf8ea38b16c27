import { setTimeout as delay } from 'node:timers/promises';
import { Clean, type Cleaned, everything, type CleanHandler } from '#admin';
import { type Database, type Generations, ifAlone } from '#database';
import { isFault } from '#fault';
import { projectionVersion } from '#projections';
import type { Tell } from './tell';

/** What a timer can hold; a longer one would go off at once. */
const longestIntervalMs = 2 ** 31 - 1;

const hasCode = (error: unknown, code: string): boolean => isFault(error) && error.code === code;

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
    private readonly tell: Tell,
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
        if (done === undefined) this.tell.log.info('periodic maintenance is left out: somebody else is at it');
        else if (done !== 'other form') this.tell.log.info(done, 'periodic maintenance is done');
        this.tell.alerts.clear('cleaning.failing');
      } catch (error) {
        if (signal.aborted) return;
        this.failed(error);
      }
    }
  }

  /** Once, by the alert of what stands in the way. */
  private failed(error: unknown): void {
    if (hasCode(error, 'admin.clock-skew') || this.tell.outages.met(error) !== undefined) return;
    this.tell.log.debug({ err: error }, 'periodic maintenance failed');
    this.tell.alerts.raise('cleaning.failing', {
      message: `Periodic cleaning fails: ${error instanceof Error ? error.message : String(error)}`,
      effect: 'Nodes do not expire, and old nodes and reports are not removed. Commands and queries go on.',
      hint: 'It is tried again after NODELEDGER_GC_INTERVAL; with NODELEDGER_LOG_LEVEL=debug the log says more.',
    });
  }

  /** Undefined where somebody else is at it; nothing is looked up in tables of another release. */
  private async clean(signal: AbortSignal): Promise<Cleaned | 'other form' | undefined> {
    const live = await this.generations.live(true);
    if (live?.projectionVersion !== projectionVersion) return 'other form';
    const clean = (): Promise<Cleaned | undefined> =>
      this.handler.execute(new Clean(everything, signal)).catch((error: unknown) => {
        if (hasCode(error, 'admin.running')) return undefined;
        throw error;
      });
    return ifAlone(this.db, 'periodic maintenance', clean);
  }
}
