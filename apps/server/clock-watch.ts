import { ClockGuard } from '#admin';
import type { Database } from '#database';
import type { Fault } from '#fault';
import type { Alerts } from '#observe';

const lookAgainMs = 30_000;

/** Makes the refusals of the clock guard an alert, and looks again while it lasts, so that it ends with its cause. */
export class ClockWatch {
  readonly guard: ClockGuard;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(
    db: Database,
    private readonly alerts: Alerts,
  ) {
    this.guard = new ClockGuard(db, { onLook: (fault) => this.heard(fault) });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private heard(fault: Fault | undefined): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    if (fault === undefined) return this.alerts.clear('clock.skew');
    this.alerts.raise('clock.skew', {
      message: fault.message,
      effect: 'Nodes do not expire, and no node and no report is removed. Commands and queries go on.',
      ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    });
    this.lookAgain();
  }

  private lookAgain(): void {
    if (this.closed) return;
    // Where the database does not answer, that is told elsewhere.
    this.timer = setTimeout(() => void this.guard.look().catch(() => this.lookAgain()), lookAgainMs).unref();
  }
}
