import { Clean, cleanEverything, type CleanHandler } from '#admin';
import type { Generations } from '#database';
import { isFault } from '#fault';
import { safeMessage } from '#observe';
import { projectionVersion } from '#projections';
import { RepeatedTask } from './repeated-task';
import type { Reports } from './reports';

const hasCode = (error: unknown, code: string): boolean => isFault(error) && error.code === code;

/**
 * If several processes use the same database, only one of them cleans at a time. The records that an interrupted
 * cleaning has already appended stay in the log.
 */
export function periodicClean(
  handler: CleanHandler,
  generations: Generations,
  intervalMs: number,
  { log, alerts, outages }: Reports,
  ages?: { fit(): Promise<void> },
): RepeatedTask {
  const run = async (signal: AbortSignal): Promise<void> => {
    await ages?.fit();
    if ((await generations.live())?.projectionVersion === projectionVersion) {
      const clean = new Clean(cleanEverything, 'aligned', signal);
      const done = await handler.execute(clean).catch((error: unknown) => {
        if (!hasCode(error, 'admin.running')) throw error;
      });
      if (done) log.info(done, 'periodic maintenance is done');
      else log.info('periodic maintenance is skipped: another cleaning is running');
    }
    alerts.clear('cleaning.failing');
  };
  // Raises no alert if the cause of the failure has its own alert.
  const failed = (error: unknown): void => {
    if (hasCode(error, 'admin.clock-skew') || outages.report(error) !== undefined) return;
    log.debug({ err: error }, 'periodic maintenance failed');
    alerts.raise('cleaning.failing', {
      message: `Periodic cleaning fails: ${safeMessage(error)}`,
      effect:
        'Nodes do not expire, and old nodes, reports and dead letters are not removed. Commands and queries continue.',
      hint: 'The service tries again after NODELEDGER_GC_INTERVAL. Set NODELEDGER_LOG_LEVEL=debug for details in the log.',
    });
  };
  return new RepeatedTask(intervalMs, run, failed);
}
