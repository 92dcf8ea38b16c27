import type { AlertCode } from './alert-codes';
import type { Log } from './log';

type AlertSeverity = 'warning' | 'error';

/** Text of an alert for operators: plain sentences, no stack, and nothing from a payload. */
export interface AlertText {
  /** The problem and its component: "PostgreSQL (127.0.0.1:5432) does not answer: connection refused." */
  readonly message: string;
  /** What still works: "Commands are accepted; queries are answered 503." */
  readonly effect?: string;
  /** Remedy: "Start PostgreSQL, or correct DATABASE_URL. The service continues by itself." */
  readonly hint?: string;
  /** Default: `error`. */
  readonly severity?: AlertSeverity;
}

/** A lasting problem, as the status routes show it in `active_alerts`. */
export interface Alert extends AlertText {
  readonly code: AlertCode;
  readonly severity: AlertSeverity;
  /** ISO 8601, UTC. */
  readonly since: string;
}

const repeatMs = 60_000;

/**
 * Current alerts. Each alert is logged when it begins, once a minute while it lasts, and when it ends, however often it
 * is raised meanwhile.
 */
export class Alerts {
  private readonly lasting = new Map<AlertCode, { alert: Alert; started: number; repeat: NodeJS.Timeout }>();

  constructor(private readonly log: Log) {}

  /** Raises an alert, or updates its text if it is already raised. */
  raise(code: AlertCode, text: AlertText): void {
    const severity = text.severity ?? 'error';
    const before = this.lasting.get(code);
    if (before !== undefined) {
      before.alert = { ...text, code, severity, since: before.alert.since };
      return;
    }
    const alert: Alert = { ...text, code, severity, since: new Date().toISOString() };
    const repeat = setInterval(() => this.repeat(code), repeatMs).unref();
    this.lasting.set(code, { alert, started: performance.now(), repeat });
    this.write(alert, sentences(alert));
  }

  /** Ends an alert if it is raised. */
  clear(code: AlertCode): void {
    const ended = this.lasting.get(code);
    if (ended === undefined) return;
    clearInterval(ended.repeat);
    this.lasting.delete(code);
    this.log.info({ code, lastedSeconds: seconds(ended.started) }, `Over: ${ended.alert.message}`);
  }

  /** Returns the current alerts, oldest first. */
  active(): Alert[] {
    return [...this.lasting.values()].map(({ alert }) => alert);
  }

  /** Ends all alerts without logging, because the service stops. */
  close(): void {
    for (const { repeat } of this.lasting.values()) clearInterval(repeat);
    this.lasting.clear();
  }

  private repeat(code: AlertCode): void {
    const lasting = this.lasting.get(code);
    if (lasting === undefined) return;
    this.write(lasting.alert, `Still, for ${seconds(lasting.started)} s: ${sentences(lasting.alert)}`);
  }

  private write({ code, severity }: Alert, text: string): void {
    this.log[severity === 'error' ? 'error' : 'warn']({ code }, text);
  }
}

const sentences = ({ message, effect, hint }: Alert): string =>
  [message, effect, hint].filter((part) => part !== undefined).join(' ');
const seconds = (since: number): number => Math.round((performance.now() - since) / 1000);
