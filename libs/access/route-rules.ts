import type { Role } from './role';

/** `open`: needs no role and no credential. */
type RouteRole = Exclude<Role, 'submit-own'> | 'open';

/** What a request needs to be let in. */
export interface RouteRule {
  /** `any`: one role is enough, whichever it is. Roles count only if NODELEDGER_AUTHORIZATION is set. */
  readonly role: RouteRole | 'any';
  /** Over TLS the name of the client certificate has to be in the allowlist, if there is one. */
  readonly listed: boolean;
  /** Only for clients on the same machine, and for those with a certificate or a token. */
  readonly trusted: boolean;
}

const rule = (role: RouteRole, options: Partial<Omit<RouteRule, 'role'>> = {}): RouteRule => ({
  role,
  listed: true,
  trusted: false,
  ...options,
});

const probe = rule('open', { listed: false });

/**
 * The rules for the routes below a path; the first entry that fits counts. The paths are those of the routes as they
 * are declared, not those that clients spell, so an encoded path cannot get around them. As with PuppetDB, status and
 * metrics need no place on the allowlist.
 */
const below: readonly (readonly [path: string, rule: RouteRule])[] = [
  ['/pdb/query', rule('query')],
  ['/pdb/cmd', rule('submit')],
  ['/pdb/admin', rule('admin')],
  ['/pdb/meta', rule('open')],
  ['/pdb/dashboard', rule('open')],
  ['/nodeledger/v1/agent-reports', rule('submit')],
  ['/nodeledger/v1/dead-letters', rule('admin')],
  ['/nodeledger/v1/live', probe],
  ['/nodeledger/v1/ready', probe],
  ['/status', probe],
  ['/docs', probe],
  ['/metrics', rule('metrics', { listed: false, trusted: true })],
];

/** Exactly these routes, not those below them. */
const exactly: Readonly<Record<string, RouteRule>> = {
  '/': probe,
  // What the service can do is no secret; what it holds is not in this document.
  '/openapi.json': probe,
  '/pdb': rule('open'),
};

/** For a route that has no entry in the tables. */
export const defaultRule: RouteRule = rule('admin');

/**
 * Returns the rule for a request. `route` is the route as it is declared, such as `/pdb/query/v4/*`; undefined if no
 * route fits `path`. Nobody learns without a credential which paths exist.
 */
export function ruleOf(route: string | undefined, path: string): RouteRule {
  if (route === undefined) return { role: 'any', listed: /^\/(pdb|nodeledger)(\/|$)/.test(path), trusted: false };
  return exactly[route] ?? below.find(([under]) => `${route}/`.startsWith(`${under}/`))?.[1] ?? defaultRule;
}
