import { isLoopback } from '#config';
import { Fault } from '#fault';
import { callerOf, clientHost, type FastifyRequest, isClientKnown } from '#http';
import type { Access } from './access';
import { refuseOtherSites } from './other-site';
import { roleOf } from './route-roles';

interface GateOptions {
  readonly access: Access;
  readonly allowedHosts?: readonly string[];
}

export class Gate {
  private readonly allowedHosts: readonly string[];

  constructor(private readonly options: GateOptions) {
    this.allowedHosts = (options.allowedHosts ?? []).map((name) => name.toLowerCase());
  }

  /** Throws `http.other-site`, `http.other-host`, `metrics.forbidden`, or a fault of `Access.check`. */
  async check(request: FastifyRequest): Promise<void> {
    const role = roleOf(request.routeOptions.url);
    const isLocal = !callerOf(request).secure && isLoopback(request.raw.socket.localAddress ?? '');
    refuseOtherSites(request.headers, {
      own: { allowed: this.allowedHosts, isLocal },
      changes: role === 'submit' || role === 'admin',
    });
    if (role !== 'open') await this.options.access.check(request, role);
    if (role === 'metrics') requireTrusted(request);
  }
}

/** Throws `metrics.forbidden` if the client is on another machine and uses neither TLS nor a token. */
function requireTrusted(request: FastifyRequest): void {
  const { secure, token } = callerOf(request);
  if (secure || token !== undefined) return;
  if (isClientKnown(request.raw) && isLoopback(clientHost(request.raw))) return;
  throw new Fault(
    'forbidden',
    'metrics.forbidden',
    'Without TLS, only clients on the machine of the service may read metrics.',
  );
}
