import { type FastifyRequest, nameOfRoute, otherRoute } from '#http';
import { matchRoute, type RouteMatch } from './match-route';
import { type Route, routes } from './routes';

export const queryRoot = '/pdb/query/v4';

const names = new Map(routes.map((route) => [route, nameOfRoute(`${queryRoot}/${route.path}`.replace(/\/$/, ''))]));

/** Returns a name for metrics and logs, such as `/pdb/query/v4/nodes/{certname}`. */
export const nameOfQuery = (route: Route): string => names.get(route) ?? otherRoute;

const matches = new WeakMap<FastifyRequest, RouteMatch | 'none'>();

export function matchOf(request: FastifyRequest): RouteMatch | undefined {
  let match = matches.get(request);
  if (match === undefined) {
    const path = pathBelowRoot(request.url);
    match = (path === undefined ? undefined : matchRoute(path)) ?? 'none';
    matches.set(request, match);
  }
  return match === 'none' ? undefined : match;
}

export function queryRouteName(request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions;
  if (url !== queryRoot && url !== `${queryRoot}/*`) return undefined;
  const match = matchOf(request);
  return match === undefined ? otherRoute : nameOfQuery(match.route);
}

/** Returns the encoded path without its leading slash, or undefined if the path is the root with a slash at its end. */
function pathBelowRoot(url: string): string | undefined {
  const path = (url.split('?', 1)[0] ?? '').slice(queryRoot.length);
  return path === '' ? '' : path.slice(1) || undefined;
}
