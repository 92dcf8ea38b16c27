import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from './fastify';

export const otherRoute = 'other';

const rewritten = new Map<string, string>();

/**
 * Converts a declared path to a name: `/nodes/:certname/*` becomes `/nodes/{certname}`. Stores all names, because there
 * are few routes.
 */
export function nameOfRoute(declared: string): string {
  let name = rewritten.get(declared);
  if (name === undefined) {
    name = declared.replace(/\/\*$/, '').replace(/:(\w+)/g, '{$1}') || '/';
    rewritten.set(declared, name);
  }
  return name;
}

const names = new WeakMap<IncomingMessage, string>();

/**
 * Returns the name of a request's route for metrics, traces and log lines. The name contains no values from the path.
 */
export const routeOf = ({ raw }: FastifyRequest): string => names.get(raw) ?? otherRoute;

/**
 * Stores the name of a request's route. `own` is a more exact name than the declared path, for a route with many paths.
 */
export function setRoute(request: FastifyRequest, own: string | undefined): void {
  const { url } = request.routeOptions;
  names.set(request.raw, own ?? (url === undefined || url === '*' || url === '/*' ? otherRoute : nameOfRoute(url)));
}
