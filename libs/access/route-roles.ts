import type { Role } from './role';

/** `open`: needs no role and no credential. */
type RouteRole = Exclude<Role, 'submit-own'> | 'open';

/** The role that a request needs. `any`: one role is enough, whichever it is. */
export type NeededRole = RouteRole | 'any';

/**
 * The roles for the routes below a path; the first entry that fits counts. The paths are those of the routes as they
 * are declared, not those that clients spell, so an encoded path cannot get around them.
 */
const below: readonly (readonly [path: string, role: RouteRole])[] = [
  ['/pdb/query', 'query'],
  ['/pdb/cmd', 'submit'],
  ['/pdb/admin', 'admin'],
  ['/pdb/meta', 'open'],
  ['/pdb/dashboard', 'open'],
  ['/nodeledger/v1/agent-reports', 'submit'],
  ['/nodeledger/v1/dead-letters', 'admin'],
  ['/nodeledger/v1/live', 'open'],
  ['/nodeledger/v1/ready', 'open'],
  ['/status', 'open'],
  ['/docs', 'open'],
  ['/metrics', 'metrics'],
];

/** Exactly these routes, not those below them. */
const exactly: Readonly<Record<string, RouteRole>> = {
  '/': 'open',
  // What the service can do is no secret; what it holds is not in this document.
  '/openapi.json': 'open',
  '/pdb': 'open',
};

/** Returns the role that the tables have for a route, or undefined if they have no entry for it. */
export const describedRole = (route: string): RouteRole | undefined =>
  exactly[route] ?? below.find(([under]) => `${route}/`.startsWith(`${under}/`))?.[1];

/**
 * Returns the role that a request needs. `route` is the route as it is declared, such as `/pdb/query/v4/*`; undefined if no
 * route fits the path of the request. Nobody learns without a credential which paths exist.
 */
export const roleOf = (route: string | undefined): NeededRole =>
  route === undefined ? 'any' : (describedRole(route) ?? 'admin');
