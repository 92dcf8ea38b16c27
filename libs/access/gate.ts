import { isLoopback } from '#config';
import { Fault } from '#fault';
import { callerOf, clientHost, type FastifyRequest, isClientKnown } from '#http';
import type { Access } from './access';
import { refuseOtherSites } from './other-site';
import { roleOf } from './route-roles';

interface GateOptions {
  /** Checks roles. Without it, every client that can connect has all roles. */
  readonly access?: Pick<Access, 'check'> | undefined;
  /** Whether clients without TLS have all roles. */
  readonly trustsCleartext?: boolean;
  /** The names of NODELEDGER_ALLOWED_HOSTS. */
  readonly allowedHosts?: readonly string[];
}

/** Decides about every request, before its body is read. What a request needs is in the table of `roleOf`. */
export class Gate {
  private readonly allowedHosts: readonly string[];

  constructor(private readonly options: GateOptions) {
    this.allowedHosts = (options.allowedHosts ?? []).map((name) => name.toLowerCase());
  }

  /** Faults: `http.other-site`, `http.other-host`, `metrics.forbidden`, and those of `Access.check`. */
  async check(request: FastifyRequest): Promise<void> {
    const role = roleOf(request.routeOptions.url);
    const { access, trustsCleartext = false } = this.options;
    const { secure } = callerOf(request);
    const isLocal = !secure && isLoopback(request.raw.socket.localAddress ?? '');
    refuseOtherSites(request.headers, {
      own: { allowed: this.allowedHosts, isLocal },
      changes: role === 'submit' || role === 'admin',
    });
    if (role !== 'open' && (secure || !trustsCleartext)) await access?.check(request, role);
    if (role === 'metrics') requireTrusted(request);
  }
}

/** Fault `metrics.forbidden`: the client is on another machine, and uses neither TLS nor a token. */
function requireTrusted(request: FastifyRequest): void {
  const { secure, token } = callerOf(request);
  // The role was checked before.
  if (secure || token !== undefined) return;
  if (isClientKnown(request.raw) && isLoopback(clientHost(request.raw))) return;
  throw new Fault(
    'forbidden',
    'metrics.forbidden',
    'Without TLS, metrics are answered to clients on the machine of the service only.',
  );
}
