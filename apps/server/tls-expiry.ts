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
 * expired. The first check runs at once.
 */
export function tlsExpiry({
  tls,
  alertMs = expiryAlertMs,
  alerts,
  log,
  intervalMs = 2_000,
}: TlsExpiryOptions): RepeatedTask {
  const look = (): void => {
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
  };
  look();
  return new RepeatedTask(
    intervalMs,
    async () => look(),
    (err) => log.error({ err }, 'the times of certificates could not be looked at'),
  );
}
