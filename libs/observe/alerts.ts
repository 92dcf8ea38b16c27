import type { AlertCode } from './alert-codes';
import type { Log } from './log';

type AlertSeverity = 'warning' | 'error';

/** Plain sentences for operators, without stacks and without values from payloads. */
export interface AlertText {
  /**
   * What the problem is, and in which component, such as "PostgreSQL (127.0.0.1:5432) does not answer: connection
   * refused."
   */
  readonly message: string;
  /** Which functions still work, such as "Commands are accepted; queries are answered 503." */
  readonly effect?: string;
  /** What the operator can do, such as "Start PostgreSQL, or correct DATABASE_URL. The service continues by itself." */
  readonly hint?: string;
  readonly severity?: AlertSeverity;
}

export interface Alert extends AlertText {
  readonly code: AlertCode;
  readonly severity: AlertSeverity;
  readonly since: string;
}

const repeatMs = 60_000;

/**
 * An alert is logged when it is raised, once a minute while it is active, and when it ends. If an active alert is
 * raised again, it is not logged again.
 */
export class Alerts {
  private readonly lasting = new Map<AlertCode, { alert: Alert; started: number; repeat: NodeJS.Timeout }>();

  constructor(private readonly log: Log) {}

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

  clear(code: AlertCode): void {
    const ended = this.lasting.get(code);
    if (ended === undefined) return;
    clearInterval(ended.repeat);
    this.lasting.delete(code);
    this.log.info({ code, lastedSeconds: seconds(ended.started) }, `Over: ${ended.alert.message}`);
  }

  active(): Alert[] {
    return [...this.lasting.values()].map(({ alert }) => alert);
  }

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
