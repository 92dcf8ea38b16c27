import type { Role } from './role';

/** `open` needs neither a role nor a credential. `any` needs one role of any kind. */
type RouteRole = Exclude<Role, 'submit-own'> | 'open' | 'any';

export type NeededRole = RouteRole;

/**
 * The first matching entry applies. The entries match declared routes instead of the paths of requests, so an encoded
 * path cannot circumvent them.
 */
const below: readonly (readonly [path: string, role: RouteRole])[] = [
  ['/pdb/query', 'query'],
  ['/pdb/cmd', 'submit'],
  ['/pdb/admin', 'admin'],
  ['/pdb/meta', 'open'],
  ['/pdb/dashboard', 'open'],
  ['/nodeledger/v1/me', 'any'],
  ['/nodeledger/v1/session', 'open'],
  ['/nodeledger/v1/summary', 'query'],
  ['/nodeledger/v1/runs', 'query'],
  ['/nodeledger/v1/failures', 'query'],
  ['/nodeledger/v1/facets', 'query'],
  ['/nodeledger/v1/node-list', 'query'],
  ['/nodeledger/v1/fact-distribution', 'query'],
  ['/nodeledger/v1/package-versions', 'query'],
  ['/nodeledger/v1/search', 'query'],
  ['/nodeledger/v1/query-check', 'query'],
  ['/nodeledger/v1/query-language', 'query'],
  ['/nodeledger/v1/diff', 'query'],
  ['/nodeledger/v1/timeline', 'query'],
  ['/nodeledger/v1/drift', 'query'],
  ['/nodeledger/v1/changes', 'query'],
  ['/nodeledger/v1/subscriptions', 'admin'],
  ['/nodeledger/v1/agent-reports', 'submit'],
  ['/nodeledger/v1/dead-letters', 'admin'],
  ['/nodeledger/v1/operation', 'admin'],
  ['/nodeledger/v1/settings', 'admin'],
  ['/nodeledger/v1/live', 'open'],
  ['/nodeledger/v1/ready', 'open'],
  // The files of the pages contain no stored data.
  ['/console', 'open'],
  ['/status', 'open'],
  ['/docs', 'open'],
  ['/metrics', 'metrics'],
];

const exactly: Readonly<Record<string, RouteRole>> = {
  '/': 'open',
  // The document describes the interface, and contains no stored data.
  '/openapi.json': 'open',
  '/pdb': 'open',
};

export const describedRole = (route: string): RouteRole | undefined =>
  exactly[route] ?? below.find(([under]) => `${route}/`.startsWith(`${under}/`))?.[1];

/**
 * `route` is the declared route, such as `/pdb/query/v4/*`, or undefined if no route matches. A path without a route
 * also needs a credential, because otherwise everyone could learn which paths exist.
 */
export const roleOf = (route: string | undefined): NeededRole =>
  route === undefined ? 'any' : (describedRole(route) ?? 'admin');
