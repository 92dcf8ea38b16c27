import { Fault } from '#fault';
import { type Caller, callerName, callerOf, type FastifyRequest, setCaller } from '#http';
import { notListed } from './allowlist';
import type { Grants } from './grants';
import type { Role } from './role';
import type { NeededRole } from './route-roles';
import type { KnownTokens } from './tokens/known-tokens';
import type { Token } from './tokens/token-table';

const bearer = /^bearer +(\S+) *$/i;

/** A caller whose request is allowed, and the node to which it is limited. */
type Admitted = Omit<Caller, 'secure'>;

export interface Credentials {
  /** The name of the client certificate. */
  readonly certname?: string;
  /** The text of the token; `null`: the header Authorization has something else. */
  readonly secret?: string | null;
}

/** The roles that `Access` can be asked for. */
type CheckedRole = Exclude<NeededRole, 'open'>;

/**
 * Checks whether the certificate and the token of a request together have the role that it needs. Faults:
 * `access.credential`, `access.token` (unauthorized), `access.role`, `http.not-listed` (forbidden), `access.unchecked` (busy).
 */
export class Access {
  constructor(
    private readonly certificates: () => Grants,
    /** Without them, tokens are ignored. */
    private readonly tokens?: Pick<KnownTokens, 'find'>,
  ) {}

  /** Keeps what is found out about the caller with the request. */
  async check(request: FastifyRequest, needed: CheckedRole): Promise<void> {
    setCaller(request, { ...callerOf(request), ...(await this.admit(needed, credentialsOf(request))) });
  }

  /** `any`: one role is enough, whichever it is. */
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

/** `Authorization` counts where both headers are there. */
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
