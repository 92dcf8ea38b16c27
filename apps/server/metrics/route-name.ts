import { queryRouteOf, queryRoot } from '#query';

/** The name of all paths without a route in metrics. */
export const otherRoute = 'other';

const names = new Map<string, string>();

/** The name of a request's route, such as `/pdb/query/v4/nodes/{certname}`: never anything of its address itself. */
export function routeName(route: string | undefined, url: string): string {
  if (route === undefined || route === '*' || route === '/*') return otherRoute;
  if (route === `${queryRoot}/*` || route === queryRoot) {
    const found = queryRouteOf(url);
    if (found === undefined) return otherRoute;
    return nameOfRoute(found === '' ? queryRoot : `${queryRoot}/${found}`);
  }
  return nameOfRoute(route);
}

/** Routes are few: each is rewritten once. */
export function nameOfRoute(route: string): string {
  let name = names.get(route);
  if (name === undefined) {
    name = route.replace(/\/\*$/, '').replace(/:(\w+)/g, '{$1}') || '/';
    names.set(route, name);
  }
  return name;
}

const prefixes = new Map<string, readonly string[]>();

/** A name with everything above it: `/pdb`, `/pdb/query`, `/pdb/query/v4`. */
export function pathsAbove(name: string): readonly string[] {
  let found = prefixes.get(name);
  if (found === undefined) {
    const steps = name.split('/').slice(1);
    found = steps.map((_, at) => `/${steps.slice(0, at + 1).join('/')}`);
    prefixes.set(name, found);
  }
  return found;
}
