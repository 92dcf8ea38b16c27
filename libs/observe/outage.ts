import type { FaultCode } from '#fault';
import type { AlertCode } from './alert-codes';
import type { Alert, Alerts, AlertText } from './alerts';

/** The alert has this code, and so do the errors of requests that fail because of the outage. */
export type OutageCode = AlertCode & FaultCode;

export interface OutageOptions {
  readonly alerts: Alerts;
  readonly code: OutageCode;
  /** Resolves if the component works, and otherwise rejects with its error. Must not wait without a time limit. */
  readonly probe: () => Promise<unknown>;
  readonly describe: (error: unknown) => AlertText;
  /**
   * If true, the component is probed regularly all the time. Otherwise it is probed only after a report of trouble and
   * during an outage.
   */
  readonly always?: boolean;
  /**
   * Minimum time in milliseconds between the last report and the successful probe that ends the alert. Set only if the
   * probe cannot notice every trouble. Then each report raises the alert at once, without a probe.
   */
  readonly quietMs?: number;
}

const everyMs = 2_000;
const leastMs = 250;

/**
 * An outage of one component. Callers report errors from the component to `suspect`. The probe decides whether there is
 * an outage, and when the outage ends. So each outage raises one alert, and a single broken connection raises no alert.
 */
export class Outage {
  private lasting = false;
  private suspicion = false;
  private reportedAt = -Infinity;
  private probedAt = performance.now();
  private probing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: OutageOptions) {
    this.schedule();
  }

  get code(): OutageCode {
    return this.options.code;
  }

  get alert(): Alert | undefined {
    return this.lasting ? this.options.alerts.active().find(({ code }) => code === this.options.code) : undefined;
  }

  suspect(error: unknown): void {
    if (this.closed) return;
    this.reportedAt = performance.now();
    if (this.options.quietMs !== undefined) this.raise(error);
    // A report starts an early probe only if there is no outage yet. During an outage, probes run regularly.
    else if (!this.lasting) this.suspicion = true;
    this.schedule();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.probing;
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.closed || this.probing !== undefined) return;
    if (!this.suspicion && !this.lasting && this.options.always !== true) return;
    const dueAt = this.probedAt + (this.suspicion ? leastMs : everyMs);
    this.timer = setTimeout(
      () => {
        this.probing = this.look().finally(() => {
          this.probing = undefined;
          this.schedule();
        });
      },
      Math.max(0, dueAt - performance.now()),
    ).unref();
  }

  private async look(): Promise<void> {
    this.suspicion = false;
    let failure = await this.failure();
    // An alert is raised only if the probe fails twice, because the reason for a single failure may be a broken idle
    // connection.
    if (failure !== undefined && !this.lasting) failure = await this.failure();
    this.probedAt = performance.now();
    if (this.closed) return;
    if (failure !== undefined) this.raise(failure.error);
    else if (this.lasting && this.probedAt - this.reportedAt >= (this.options.quietMs ?? 0)) {
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
