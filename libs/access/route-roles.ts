import type { Role } from './role';

/** `open`: needs no role and no credential. */
export type RouteRole = Exclude<Role, 'submit-own'> | 'open';

/**
 * The role that the routes below a path need; the first entry that fits counts. The paths are those of the routes as they
 * are declared, not those that clients spell, so an encoded path cannot get around them.
 */
const routeRoles: readonly (readonly [under: string, role: RouteRole])[] = [
  ['/pdb/query/', 'query'],
  ['/pdb/cmd/', 'submit'],
  ['/pdb/admin/', 'admin'],
  ['/nodeledger/v1/agent-reports', 'submit'],
  ['/nodeledger/v1/dead-letters', 'admin'],
  ['/nodeledger/v1/live', 'open'],
  ['/nodeledger/v1/ready', 'open'],
  ['/metrics', 'metrics'],
  ['/status/', 'open'],
  ['/pdb/meta/', 'open'],
  ['/pdb/dashboard/', 'open'],
];

/** Exactly these, not what is below them. */
const openRoutes: readonly string[] = ['/', '/pdb'];

/** `route` as it is declared, such as `/pdb/query/v4/*`. Undefined: nobody has said what it needs. */
export function roleOfRoute(route: string): RouteRole | undefined {
  if (openRoutes.includes(route)) return 'open';
  return routeRoles.find(([under]) => `${route}/`.startsWith(under.endsWith('/') ? under : `${under}/`))?.[1];
}
