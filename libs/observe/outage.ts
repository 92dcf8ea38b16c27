import type { FaultCode } from '#fault';
import type { AlertCode } from './alert-codes';
import type { Alert, Alerts, AlertText } from './alerts';

/** Requests that fail because of it are answered with the code of the alert. */
export type OutageCode = AlertCode & FaultCode;

export interface OutageOptions {
  readonly alerts: Alerts;
  readonly code: OutageCode;
  /** Resolves where the component works, rejects with what it met. Ends in a bounded time, whatever happens. */
  readonly probe: () => Promise<unknown>;
  /** What people are told, made from an error of the probe or of whoever met the trouble. */
  readonly describe: (error: unknown) => AlertText;
  /** Looks regularly, also while nobody meets trouble. Without it, only while trouble is suspected or lasts. */
  readonly always?: boolean;
  /**
   * For trouble that a probe does not meet for certain: what somebody met is believed without asking the probe, and the
   * alert lasts until the probe works and no error was reported for this time. Milliseconds.
   */
  readonly quietMs?: number;
}

const everyMs = 2_000;
/** The least time between two probes, however many callers report trouble. */
const leastMs = 250;

/**
 * One component that may be away for a while. Many callers meet that at once and report it to `suspect`; whether it is
 * true, and when it is over, the probe decides. So each outage is one alert, and one broken connection is none.
 */
export class Outage {
  private lasting = false;
  /** Somebody met trouble, and the probe has not been asked since. */
  private suspicion = false;
  private metAt = -Infinity;
  private lookedAt = performance.now();
  private looking: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: OutageOptions) {
    this.schedule();
  }

  get code(): OutageCode {
    return this.options.code;
  }

  /** As it is shown in the status; undefined: there is no trouble. */
  get alert(): Alert | undefined {
    return this.lasting ? this.options.alerts.active().find(({ code }) => code === this.options.code) : undefined;
  }

  /** Somebody has met this error, which comes from the component. */
  suspect(error: unknown): void {
    if (this.closed) return;
    this.metAt = performance.now();
    if (this.options.quietMs !== undefined) this.raise(error);
    // One that lasts is looked at anyway.
    else if (!this.lasting) this.suspicion = true;
    this.schedule();
  }

  /** Ends the looks; waits for the one under way. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.looking;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.closed || this.looking !== undefined) return;
    if (!this.suspicion && !this.lasting && this.options.always !== true) return;
    const dueAt = this.lookedAt + (this.suspicion ? leastMs : everyMs);
    this.timer = setTimeout(
      () => {
        this.looking = this.look().finally(() => {
          this.looking = undefined;
          this.schedule();
        });
      },
      Math.max(0, dueAt - performance.now()),
    ).unref();
  }

  private async look(): Promise<void> {
    this.suspicion = false;
    let failure = await this.failure();
    // Once may be a connection that broke while it was idle.
    if (failure !== undefined && !this.lasting) failure = await this.failure();
    this.lookedAt = performance.now();
    if (this.closed) return;
    if (failure !== undefined) this.raise(failure.error);
    else if (this.lasting && this.lookedAt - this.metAt >= (this.options.quietMs ?? 0)) {
      this.lasting = false;
      this.options.alerts.clear(this.options.code);
    }
  }

  private async failure(): Promise<{ readonly error: unknown } | undefined> {
    try {
      await this.options.probe();
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  private raise(error: unknown): void {
    this.lasting = true;
    this.options.alerts.raise(this.options.code, this.options.describe(error));
  }
}
