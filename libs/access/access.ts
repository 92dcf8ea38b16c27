import { Fault } from '#fault';
import { type Caller, callerName, callerOf, type FastifyRequest, setCaller } from '#http';
import { notListed } from './allowlist';
import type { Grants } from './grants';
import { type Role, roles as allRoles } from './role';
import type { NeededRole } from './route-roles';
import type { TokenCache } from './tokens/token-cache';
import type { Token } from './tokens/token-table';

const bearer = /^bearer +(\S+) *$/i;

/** The caller of an allowed request, and the only node for which it may submit, if it is limited to one. */
type Admitted = Omit<Caller, 'secure'>;

export interface Credentials {
  /** The name of the client certificate. */
  readonly certname?: string;
  /** The token; null if the header Authorization contains something else. */
  readonly secret?: string | null;
}

/** Roles that `Access` checks. */
type CheckedRole = Exclude<NeededRole, 'open'>;

/**
 * Checks whether the certificate and the token of a request have the needed role. Faults: `access.credential`,
 * `access.token` (unauthorized), `access.role`, `http.not-listed` (forbidden), `access.unchecked` (busy).
 */
export class Access {
  constructor(
    private readonly certificates: () => Grants,
    /** If absent, tokens are ignored, and clients without TLS have all roles. */
    private readonly tokens?: Pick<TokenCache, 'find'>,
  ) {}

  /** Stores the caller of the request (`callerOf`). */
  async check(request: FastifyRequest, needed: CheckedRole): Promise<void> {
    const caller = callerOf(request);
    if (!caller.secure && this.tokens === undefined) return;
    setCaller(request, { ...caller, ...(await this.admit(needed, credentialsOf(request))) });
  }

  /** Returns the roles of a client without a token. `certname` is the name of its certificate, if it uses TLS. */
  rolesOf(certname: string | undefined): ReadonlySet<Role> {
    if (certname !== undefined) return this.certificates().rolesOf(certname);
    return new Set(this.tokens === undefined ? allRoles : []);
  }

  /** Returns the caller if its credentials have the role `needed`, or any role if that is `any`. */
  async admit(needed: CheckedRole, { certname, secret }: Credentials): Promise<Admitted> {
    const token = secret === undefined ? undefined : await this.validToken(secret);
    const grants = this.certificates();
    if (certname === undefined && token === undefined) {
      throw unauthorized('access.credential', 'This request needs a client certificate or a bearer token.');
    }
    const roles = new Set<Role>([...(certname === undefined ? [] : grants.rolesOf(certname)), ...(token?.roles ?? [])]);
    const caller: Admitted = {
      ...(certname === undefined ? {} : { certname }),
      ...(token === undefined ? {} : { token: token.name }),
    };
    if (needed === 'any' ? roles.size > 0 : roles.has(needed)) return caller;
    if (needed === 'submit' && roles.has('submit-own') && certname !== undefined) {
      return { ...caller, onlyCertname: certname };
    }
    if (certname !== undefined && grants.isUnlisted?.(certname) === true) throw notListed(certname);
    throw lacking(needed, caller, roles);
  }

  private async validToken(secret: string | null): Promise<Token | undefined> {
    if (this.tokens === undefined) return undefined;
    if (secret === null) {
      throw unauthorized('access.token', 'The header Authorization has no bearer token.', {
        hint: 'Send `Authorization: Bearer <token>`.',
      });
    }
    const found = await this.tokens.find(secret);
    if (typeof found !== 'string') return found;
    const what = { unknown: 'is not known', expired: 'has expired', revoked: 'was revoked' }[found];
    throw unauthorized('access.token', `The token of this request ${what}.`);
  }
}

/** If a request has both headers, the token of `Authorization` counts. */
function credentialsOf(request: FastifyRequest): Credentials {
  const { certname } = callerOf(request);
  const { authorization, 'x-authentication': enterprise } = request.headers;
  const secret =
    authorization === undefined
      ? typeof enterprise === 'string'
        ? enterprise.trim()
        : undefined
      : (bearer.exec(authorization)?.[1] ?? null);
  return { ...(certname === undefined ? {} : { certname }), ...(secret === undefined ? {} : { secret }) };
}

const unauthorized = (
  code: 'access.credential' | 'access.token',
  message: string,
  options: { hint?: string } = {},
): Fault =>
  new Fault('unauthorized', code, message, {
    hint:
      options.hint ??
      '`nodeledger token create` makes a token; certificates get their roles in the file of NODELEDGER_AUTHORIZATION.',
  });

function lacking(needed: string, caller: Admitted, roles: ReadonlySet<Role>): Fault {
  const has = roles.size === 0 ? 'has no role' : `has the role${roles.size > 1 ? 's' : ''} ${[...roles].join(', ')}`;
  const needs = needed === 'any' ? 'some role' : `the role ${needed}`;
  return new Fault(
    'forbidden',
    'access.role',
    `Forbidden: this request needs ${needs}; the ${callerName(caller)} ${has}.`,
    {
      hint: 'The files of NODELEDGER_AUTHORIZATION and NODELEDGER_CERTIFICATE_ALLOWLIST give roles to certificates, `nodeledger token create` to tokens (docs/authorization.md).',
    },
  );
}
