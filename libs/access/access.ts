import { Fault } from '#fault';
import { type Caller, callerName, callerOf, type FastifyRequest, setCaller } from '#http';
import { notListed } from './allowlist';
import type { Grants } from './grants';
import { type Role, roles as allRoles } from './role';
import type { NeededRole } from './route-roles';
import { sessionOf } from './session-cookie';
import type { SessionTable } from './tokens/session-table';
import type { TokenCache } from './tokens/token-cache';
import type { Token } from './tokens/token-table';

const bearer = /^bearer +(\S+) *$/i;

/** `onlyCertname` is present if the caller may submit only for this node. */
type Admitted = Omit<Caller, 'secure'>;

export interface Credentials {
  readonly certname?: string;
  /** Null if the header Authorization contains no bearer token. */
  readonly secret?: string | null;
  readonly session?: string;
}

/** Pages of other sites cannot send this header. */
export const consoleHeader = 'x-nodeledger-console';

export interface Identity {
  readonly caller: Admitted;
  readonly roles: ReadonlySet<Role>;
  readonly sessionEnds?: Date;
}

type CheckedRole = Exclude<NeededRole, 'open'>;

/**
 * Checks whether the certificate and the token of a request have the needed role. Throws `access.credential`,
 * `access.token` or `access.session` (401), `access.role`, `access.session-header` or `http.not-listed` (403), or
 * `access.unchecked` (503).
 */
export class Access {
  constructor(
    private readonly certificates: () => Grants,
    /** If absent, tokens are ignored, and clients without TLS have all roles. */
    private readonly tokens?: Pick<TokenCache, 'find'>,
    /** If absent, users cannot sign in. */
    private readonly sessions?: SessionTable,
  ) {}

  async check(request: FastifyRequest, needed: CheckedRole): Promise<void> {
    const caller = callerOf(request);
    if (!caller.secure && this.tokens === undefined) return;
    const credentials = credentialsOf(request);
    if (credentials.session !== undefined) requireConsoleHeader(request);
    setCaller(request, { ...caller, ...(await this.admit(needed, credentials)) });
  }

  /**
   * Exchanges a token for the secret of a session. Throws `access.token`, `access.no-sessions` or `access.unchecked`.
   */
  async signIn(secret: string): Promise<string> {
    const token = await this.validToken(secret);
    if (token !== undefined && this.sessions !== undefined) return this.sessions.create(token);
    throw new Fault('conflict', 'access.no-sessions', 'This service reads no tokens, so nobody can sign in with one.', {
      hint: 'Set NODELEDGER_AUTHORIZATION (docs/authorization.md).',
    });
  }

  async signOut({ headers }: FastifyRequest): Promise<void> {
    const session = sessionOf(headers);
    if (session !== undefined) await this.sessions?.remove(session);
  }

  /** Returns the roles of a client without a token. `certname` is undefined without TLS. */
  rolesOf(certname: string | undefined): ReadonlySet<Role> {
    if (certname !== undefined) return this.certificates().rolesOf(certname);
    return new Set(this.tokens === undefined ? allRoles : []);
  }

  async admit(needed: CheckedRole, credentials: Credentials): Promise<Admitted> {
    const { caller, roles } = await this.identify(credentials);
    const { certname } = credentials;
    if (needed === 'any' ? roles.size > 0 : roles.has(needed)) return caller;
    if (needed === 'submit' && roles.has('submit-own') && certname !== undefined) {
      return { ...caller, onlyCertname: certname };
    }
    if (certname !== undefined && this.certificates().isUnlisted?.(certname) === true) throw notListed(certname);
    throw lacking(needed, caller, roles);
  }

  async identityOf(request: FastifyRequest): Promise<Identity> {
    if (!callerOf(request).secure && this.tokens === undefined) return { caller: {}, roles: new Set(allRoles) };
    return this.identify(credentialsOf(request));
  }

  async identify({ certname, secret, session }: Credentials): Promise<Identity> {
    const token = secret === undefined ? await this.sessionToken(session, certname) : await this.validToken(secret);
    if (certname === undefined && token === undefined) {
      throw unauthorized('access.credential', 'This request needs a client certificate or a bearer token.');
    }
    const ofCertificate = certname === undefined ? [] : this.certificates().rolesOf(certname);
    return {
      caller: {
        ...(certname === undefined ? {} : { certname }),
        ...(token === undefined ? {} : { token: token.name }),
      },
      roles: new Set<Role>([...ofCertificate, ...(token?.roles ?? [])]),
      ...(secret === undefined && token?.expires ? { sessionEnds: token.expires } : {}),
    };
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

  /** Returns undefined if the session has ended and the client has a certificate. */
  private async sessionToken(session: string | undefined, certname: string | undefined): Promise<Token | undefined> {
    if (this.tokens === undefined || session === undefined) return undefined;
    const found = await this.tokens.find(session, 'session');
    if (typeof found !== 'string') return found;
    if (certname !== undefined) return undefined;
    throw unauthorized('access.session', 'The session of this browser has ended.', { hint: 'Sign in again.' });
  }
}

/** Throws `access.session-header` if a request may change something and no page of this service has sent it. */
function requireConsoleHeader({ method, headers }: FastifyRequest): void {
  if (method === 'GET' || method === 'HEAD' || headers[consoleHeader] !== undefined) return;
  throw new Fault(
    'forbidden',
    'access.session-header',
    'Forbidden: a request that relies on the cookie of a session and may change something needs the header X-Nodeledger-Console.',
    { hint: 'Send X-Nodeledger-Console: 1, or the token itself as `Authorization: Bearer <token>`.' },
  );
}

/**
 * The token in `Authorization` takes precedence over the token in `X-Authentication`. A session is used only if the
 * request has neither of these headers.
 */
function credentialsOf(request: FastifyRequest): Credentials {
  const { certname } = callerOf(request);
  const { authorization, 'x-authentication': enterprise } = request.headers;
  const secret =
    authorization === undefined
      ? typeof enterprise === 'string'
        ? enterprise.trim()
        : undefined
      : (bearer.exec(authorization)?.[1] ?? null);
  const session = secret === undefined ? sessionOf(request.headers) : undefined;
  return {
    ...(certname === undefined ? {} : { certname }),
    ...(secret === undefined ? {} : { secret }),
    ...(session === undefined ? {} : { session }),
  };
}

const unauthorized = (
  code: 'access.credential' | 'access.token' | 'access.session',
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
