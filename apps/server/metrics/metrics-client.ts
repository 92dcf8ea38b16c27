import type { TLSSocket } from 'node:tls';
import { Fault } from '#fault';
import type { FastifyRequest } from '#http';

/** Faults: `metrics.forbidden` for clients elsewhere that did not show a certificate that is trusted. */
export function requireMetricsClient({ raw: { socket } }: FastifyRequest): void {
  const { encrypted, authorized } = socket as Partial<TLSSocket>;
  if (encrypted === true ? authorized === true : isLoopback(socket.remoteAddress ?? '')) return;
  throw new Fault(
    'forbidden',
    'metrics.forbidden',
    encrypted === true
      ? 'Metrics are answered to clients with a certificate that is trusted.'
      : 'Without TLS, metrics are answered to clients on the machine of the service only.',
  );
}

export const isLoopback = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/i.test(address);
