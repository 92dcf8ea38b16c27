import { matchRoute } from './match-route';
import { queryRoot } from './query.controller';

/** The route that a query's URL takes, such as `nodes/:certname/facts`; empty at the root, undefined where there is none. */
export function queryRouteOf(url: string): string | undefined {
  if (!url.startsWith(queryRoot)) return undefined;
  const end = url.indexOf('?');
  const path = url.slice(queryRoot.length, end < 0 ? undefined : end);
  if (path === '') return '';
  return path === '/' ? undefined : matchRoute(path.slice(1))?.route.path;
}
