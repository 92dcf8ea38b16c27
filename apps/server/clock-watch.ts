import { ClockGuard } from '#admin';
import type { Database } from '#database';
import type { Fault } from '#fault';
import type { Alerts } from '#observe';

const lookAgainMs = 30_000;

/** Makes the refusals of the clock guard an alert, and looks again while it lasts, so that it ends with its cause. */
export class ClockWatch {
  readonly guard: ClockGuard;
  /** Set while the alert lasts. */
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private closed = false;

  constructor(
    db: Database,
    private readonly alerts: Alerts,
  ) {
    this.guard = new ClockGuard(db, { onLook: (fault) => this.heard(fault) });
  }

  close(): void {
    this.closed = true;
    this.rest();
  }

  private heard(fault: Fault | undefined): void {
    if (this.closed) return;
    if (fault === undefined) {
      this.rest();
      this.alerts.clear('clock.skew');
      return;
    }
    this.alerts.raise('clock.skew', {
      message: fault.message,
      effect: 'Nodes do not expire, and no node and no report is removed. Commands and queries go on.',
      ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    });
    this.timer ??= setInterval(() => void this.lookAgain(), lookAgainMs).unref();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async lookAgain(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    // Where the database does not answer, that is told elsewhere.
    await this.guard.look().catch(() => undefined);
    this.looking = false;
  }
}
