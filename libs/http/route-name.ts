import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from './fastify';

/** What a path is called that no route has. */
export const otherRoute = 'other';

const rewritten = new Map<string, string>();

/** The name of a route: declared as `/nodes/:certname/*` it is `/nodes/{certname}`. Routes are few: each is rewritten once. */
export function nameOfRoute(declared: string): string {
  let name = rewritten.get(declared);
  if (name === undefined) {
    name = declared.replace(/\/\*$/, '').replace(/:(\w+)/g, '{$1}') || '/';
    rewritten.set(declared, name);
  }
  return name;
}

const names = new WeakMap<IncomingMessage, string>();

/** What metrics, traces and log lines call the path of a request: the name of its route, never anything of the path itself. */
export const routeOf = ({ raw }: FastifyRequest): string => names.get(raw) ?? otherRoute;

/** `own`: a name that tells more than the declared route, which may have many paths below it. */
export function setRoute(request: FastifyRequest, own: string | undefined): void {
  const { url } = request.routeOptions;
  names.set(request.raw, own ?? (url === undefined || url === '*' || url === '/*' ? otherRoute : nameOfRoute(url)));
}
