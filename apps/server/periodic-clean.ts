import { Clean, type Cleaned, cleanEverything, type CleanHandler } from '#admin';
import type { Generations } from '#database';
import { isFault } from '#fault';
import { safeMessage } from '#observe';
import { projectionVersion } from '#projections';
import { RepeatedTask } from './repeated-task';
import type { Reports } from './reports';

const hasCode = (error: unknown, code: string): boolean => isFault(error) && error.code === code;

/** If several processes use the same database, only one of them cleans at a time. */
export class PeriodicClean {
  private readonly task: RepeatedTask;

  constructor(
    private readonly handler: CleanHandler,
    private readonly generations: Generations,
    intervalMs: number,
    private readonly reports: Reports,
    private readonly ages?: { fit(): Promise<void> },
  ) {
    this.task = new RepeatedTask(
      intervalMs,
      (signal) => this.run(signal),
      (error) => this.failed(error),
    );
  }

  start(): void {
    this.task.start();
  }

  /** The records that an interrupted cleaning has already appended stay in the log. */
  stop(): Promise<void> {
    return this.task.stop();
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { log, alerts } = this.reports;
    await this.ages?.fit();
    const done = await this.clean(signal);
    if (done === undefined) log.info('periodic maintenance is skipped: another cleaning is running');
    else if (done !== 'other form') log.info(done, 'periodic maintenance is done');
    alerts.clear('cleaning.failing');
  }

  /** Raises no alert if the cause of the failure has its own alert. */
  private failed(error: unknown): void {
    const { log, alerts, outages } = this.reports;
    if (hasCode(error, 'admin.clock-skew') || outages.report(error) !== undefined) return;
    log.debug({ err: error }, 'periodic maintenance failed');
    alerts.raise('cleaning.failing', {
      message: `Periodic cleaning fails: ${safeMessage(error)}`,
      effect:
        'Nodes do not expire, and old nodes, reports and dead letters are not removed. Commands and queries continue.',
      hint: 'The service tries again after NODELEDGER_GC_INTERVAL. Set NODELEDGER_LOG_LEVEL=debug for details in the log.',
    });
  }

  /** Returns undefined if another process cleans, and 'other form' if the read tables have another schema version. */
  private async clean(signal: AbortSignal): Promise<Cleaned | 'other form' | undefined> {
    const live = await this.generations.live();
    if (live?.projectionVersion !== projectionVersion) return 'other form';
    const clean = (): Promise<Cleaned | undefined> =>
      this.handler.execute(new Clean(cleanEverything, 'aligned', signal)).catch((error: unknown) => {
        if (hasCode(error, 'admin.running')) return undefined;
        throw error;
      });
    return clean();
  }
}
