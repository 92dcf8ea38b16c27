import type { Alerts, Log } from '#observe';
import { expiries, expiryAlertMs, type ServerTls } from '#tls';
import { RepeatedTask } from './repeated-task';

interface TlsExpiryOptions {
  readonly tls: ServerTls;
  readonly alertMs?: number;
  readonly alerts: Alerts;
  readonly log: Log;
  readonly intervalMs?: number;
}

/**
 * Raises an alert before a certificate of the service expires. Closes connections of clients whose certificate has
 * expired.
 */
export class TlsExpiry {
  private readonly task: RepeatedTask;

  constructor(private readonly options: TlsExpiryOptions) {
    this.task = new RepeatedTask(
      options.intervalMs ?? 2_000,
      async () => this.look(),
      (err) => options.log.error({ err }, 'the times of certificates could not be looked at'),
    );
  }

  start(): void {
    this.look();
    this.task.start();
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  private look(): void {
    const { tls, alerts, alertMs = expiryAlertMs } = this.options;
    tls.dropUntrusted();
    const now = Date.now();
    const [soonest] = expiries(tls.material);
    if (soonest === undefined || soonest.at - now > alertMs) {
      alerts.clear('tls.expiry');
      return;
    }
    const { what, at } = soonest;
    const isOver = at <= now;
    alerts.raise('tls.expiry', {
      severity: isOver ? 'error' : 'warning',
      message: `HTTPS: ${what} ${isOver ? 'ended' : 'ends'} at ${new Date(at).toISOString()}.`,
      effect: isOver ? 'Connections over TLS fail.' : 'Connections over TLS will fail from then on.',
      hint: 'Renew it and copy the new file to where the old one is; no restart is needed.',
    });
  }
}
