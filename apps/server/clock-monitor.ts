import { ClockGuard } from '#admin';
import type { Database } from '#database';
import type { Fault } from '#fault';
import type { Alerts } from '#observe';
import { RepeatedTask } from './repeated-task';

const checkAgainMs = 30_000;

/** Raises an alert when the clock guard refuses a cleaning, and repeats the check until it succeeds. */
export class ClockMonitor {
  readonly guard: ClockGuard;
  /** Ignores errors of the database, because other parts of the service report them. */
  private readonly checks = new RepeatedTask(
    checkAgainMs,
    async () => void (await this.guard.check()),
    () => undefined,
  );
  private closed = false;

  constructor(
    db: Database,
    private readonly alerts: Alerts,
  ) {
    this.guard = new ClockGuard(db, { onCheck: (fault) => this.checked(fault) });
  }

  close(): void {
    this.closed = true;
    void this.checks.stop();
  }

  private checked(fault: Fault | undefined): void {
    if (this.closed) return;
    if (fault === undefined) {
      void this.checks.stop();
      this.alerts.clear('clock.skew');
      return;
    }
    this.alerts.raise('clock.skew', {
      message: fault.message,
      effect: 'Nodes do not expire, and no node and no report is removed. Commands and queries continue.',
      ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    });
    this.checks.start();
  }
}
