import { routes, type Route } from './routes';

export interface RouteMatch {
  readonly route: Route;
  readonly variables: Readonly<Record<string, string>>;
}

interface Branch {
  route?: Route;
  variable?: { readonly name: string; readonly branch: Branch };
  readonly literals: Map<string, Branch>;
}

/**
 * Returns the route of a path below the query root. The path must still be encoded, so that a `%2F` does not divide a
 * segment. The segment of a variable can be empty.
 */
export function matchRoute(encodedPath: string): RouteMatch | undefined {
  const variables: Record<string, string> = {};
  let branch: Branch = tree;
  for (const segment of encodedPath === '' ? [] : encodedPath.split('/')) {
    const text = decode(segment);
    const literal = branch.literals.get(text);
    if (literal !== undefined) {
      branch = literal;
    } else if (branch.variable !== undefined) {
      variables[branch.variable.name] = text;
      branch = branch.variable.branch;
    } else {
      return undefined;
    }
  }
  return branch.route === undefined ? undefined : { route: branch.route, variables };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const tree = routes.reduce<Branch>(
  (root, route) => {
    let branch = root;
    for (const segment of route.path === '' ? [] : route.path.split('/')) branch = grow(branch, segment, route.path);
    branch.route = route;
    return root;
  },
  { literals: new Map() },
);

function grow(branch: Branch, segment: string, path: string): Branch {
  if (!segment.startsWith(':')) {
    const next = branch.literals.get(segment) ?? { literals: new Map<string, Branch>() };
    branch.literals.set(segment, next);
    return next;
  }
  const name = segment.slice(1);
  branch.variable ??= { name, branch: { literals: new Map() } };
  if (branch.variable.name !== name)
    throw new Error(`${path}: another route calls this segment ${branch.variable.name}`);
  return branch.variable.branch;
}
