import { isLoopback } from '#config';
import { Fault } from '#fault';
import { callerOf, type FastifyRequest } from '#http';

/** Faults: `metrics.forbidden` for clients elsewhere that showed neither a certificate that is trusted nor a token. */
export function requireMetricsClient(request: FastifyRequest): void {
  const { secure, certname, token } = callerOf(request);
  // A token counts only where roles are checked, so it has the role.
  if (token !== undefined) return;
  if (secure ? certname !== undefined : isLoopback(request.raw.socket.remoteAddress ?? '')) return;
  throw new Fault(
    'forbidden',
    'metrics.forbidden',
    secure
      ? 'Metrics are answered to clients with a certificate that is trusted.'
      : 'Without TLS, metrics are answered to clients on the machine of the service only.',
  );
}
