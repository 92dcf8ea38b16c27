import type { FaultCode } from '#fault';
import type { AlertCode } from './alert-codes';
import type { Alert, Alerts, AlertText } from './alerts';

/** Requests that fail because of the outage get the code of the alert. */
export type OutageCode = AlertCode & FaultCode;

export interface OutageOptions {
  readonly alerts: Alerts;
  readonly code: OutageCode;
  /** Resolves if the component works, and rejects with its error otherwise. Ends in bounded time. */
  readonly probe: () => Promise<unknown>;
  /** Makes the text of the alert from an error of the probe or of a caller. */
  readonly describe: (error: unknown) => AlertText;
  /** Probes regularly, even without a report. Otherwise probes only while trouble is suspected or lasts. */
  readonly always?: boolean;
  /**
   * For trouble that the probe may miss: a report raises the alert without a probe, and the alert lasts until the probe
   * succeeds and there was no report for this time. Milliseconds.
   */
  readonly quietMs?: number;
}

const everyMs = 2_000;
/** Shortest time between two probes, however many callers report trouble. */
const leastMs = 250;

/**
 * An outage of one component. Callers that get an error report it to `suspect`, and the probe decides whether there is
 * an outage and when it ends. So each outage is one alert, and one broken connection is none.
 */
export class Outage {
  private lasting = false;
  /** A caller has reported trouble since the last probe. */
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

  /** The alert in the status, or undefined without an outage. */
  get alert(): Alert | undefined {
    return this.lasting ? this.options.alerts.active().find(({ code }) => code === this.options.code) : undefined;
  }

  /** Reports an error of the component. */
  suspect(error: unknown): void {
    if (this.closed) return;
    this.metAt = performance.now();
    if (this.options.quietMs !== undefined) this.raise(error);
    // During an outage, probes run anyway.
    else if (!this.lasting) this.suspicion = true;
    this.schedule();
  }

  /** Stops probing, and waits for the current probe. */
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
    // A single error may be a connection that broke while it was idle.
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
