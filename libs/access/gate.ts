import { isLoopback } from '#config';
import { Fault } from '#fault';
import { type Caller, callerOf, clientHost, type FastifyRequest, isClientKnown } from '#http';
import type { Access } from './access';
import { refuseOtherSites } from './other-site';
import { ruleOf } from './route-rules';

interface GateOptions {
  /** Checks roles. Without it, every client that can connect has all roles. */
  readonly access?: Pick<Access, 'check'> | undefined;
  /** Says why a client is not on the certificate allowlist. Without it, every certificate is accepted. */
  readonly unlisted?: ((caller: Caller) => Fault | undefined) | undefined;
  /** The names of NODELEDGER_ALLOWED_HOSTS. */
  readonly allowedHosts?: readonly string[];
}

/** Decides about every request, before its body is read. What a request needs is in the table of `ruleOf`. */
export class Gate {
  private readonly allowedHosts: readonly string[];

  constructor(private readonly options: GateOptions) {
    this.allowedHosts = (options.allowedHosts ?? []).map((name) => name.toLowerCase());
  }

  /** Faults: `http.other-site`, `http.other-host`, `http.not-listed`, `metrics.forbidden`, and those of `Access.check`. */
  async check(request: FastifyRequest): Promise<void> {
    const { role, listed, trusted } = ruleOf(request.routeOptions.url, request.url);
    const { access } = this.options;
    const isLocal = !callerOf(request).secure && isLoopback(request.raw.socket.localAddress ?? '');
    refuseOtherSites(request.headers, {
      own: { allowed: this.allowedHosts, isLocal },
      changes: role === 'submit' || role === 'admin',
    });
    if (listed) this.requireListed(callerOf(request));
    if (role !== 'open') await access?.check(request, role);
    if (trusted) requireTrusted(request);
  }

  private requireListed(caller: Caller): void {
    const { access, unlisted } = this.options;
    if (!caller.secure) return;
    // Where roles are checked, a client may have a token instead of a certificate.
    if (access !== undefined && caller.certname === undefined) return;
    const refusal = unlisted?.(caller);
    if (refusal !== undefined) throw refusal;
  }
}

/** Fault `metrics.forbidden`: the client is on another machine and has neither a certificate nor a token. */
function requireTrusted(request: FastifyRequest): void {
  const { secure, certname, token } = callerOf(request);
  // Tokens are read only if roles are checked, so this one has the role.
  if (token !== undefined) return;
  const isLocal = isClientKnown(request.raw) && isLoopback(clientHost(request.raw));
  if (secure ? certname !== undefined : isLocal) return;
  throw new Fault(
    'forbidden',
    'metrics.forbidden',
    secure
      ? 'Metrics are answered to clients with a certificate that is trusted.'
      : 'Without TLS, metrics are answered to clients on the machine of the service only.',
  );
}
