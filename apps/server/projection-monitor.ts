import { appliedPositions, type Database } from '#database';
import { withTimeout } from '#fault';
import type { CommandLog } from '#log';
import type { Alerts } from '#observe';
import type { Outages } from './outages';
import { RepeatedTask } from './repeated-task';
import { waitingCommands } from './waiting-commands';

interface ProjectionMonitorOptions {
  readonly log: Pick<CommandLog, 'ends'>;
  readonly db: Database;
  readonly alerts: Alerts;
  readonly outages: Pick<Outages, 'isDown' | 'report'>;
  readonly everyMs?: number;
  readonly patienceMs?: number;
}

/** Time limit of a check. Without a limit, a stop could hang, because it waits for the current check. */
const lookMs = 5_000;

/** Raises an alert if commands wait in the log and no process applies any of them. */
export function projectionMonitor({
  log,
  db,
  alerts,
  outages,
  everyMs = 10_000,
  patienceMs = 60_000,
}: ProjectionMonitorOptions): RepeatedTask {
  let lastApplied = '';
  let movedAt = performance.now();
  const look = async (): Promise<void> => {
    const found = await withTimeout(Promise.all([log.ends(), appliedPositions(db)]), lookMs);
    if (found === undefined) throw new Error(`the log or the database gave no answer within ${lookMs / 1_000} s`);
    const [ends, applied] = found;
    const waiting = waitingCommands(ends, applied);
    const positions = JSON.stringify([...applied].sort(([a], [b]) => a - b));
    const isMoving = waiting === 0 || positions !== lastApplied;
    // An outage, or a projector that has ended, explains the stall and has its own alert.
    const isReported = outages.isDown || alerts.active().some(({ code }) => code === 'projector.ended');
    if (isMoving) alerts.clear('projector.stalled');
    if (isMoving || isReported) {
      lastApplied = positions;
      movedAt = performance.now();
      return;
    }
    const stalledMs = performance.now() - movedAt;
    if (stalledMs < patienceMs) return;
    alerts.raise('projector.stalled', {
      message: `${waiting} commands wait in the log, and none has been applied for ${Math.round(stalledMs / 1_000)} s.`,
      effect: 'Commands are accepted. Queries do not show the ones that wait.',
      hint: 'Check that a process with the component project runs, and read its log.',
    });
  };
  const failed = (error: unknown): void => {
    outages.report(error);
    movedAt = performance.now();
  };
  return new RepeatedTask(everyMs, look, failed);
}
