import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { roleOf } from '#access';
import { nameOfRoute } from '#http';
import { type ApiContext, type DescribedRoute, descriptionOf } from '#openapi';

const methods: ReadonlyMap<RequestMethod, DescribedRoute['method']> = new Map([
  [RequestMethod.GET, 'get'],
  [RequestMethod.POST, 'post'],
  [RequestMethod.PUT, 'put'],
  [RequestMethod.DELETE, 'delete'],
  [RequestMethod.ALL, 'all'],
]);

/** Throws an error if a route has no description. */
export const describedRoutes = (controllers: readonly Type[], context: ApiContext): DescribedRoute[] =>
  controllers.flatMap((controller) => routesOf(controller, context));

function routesOf(controller: Type, context: ApiContext): DescribedRoute[] {
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name]!;
    const declared = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (declared === undefined) return [];
    const method = methods.get(declared);
    // A handler can have several paths. Only the first path is used here, because the description of the handler has an
    // operation for each path.
    const [path = ''] = pathsOf(controller).flatMap((above) => pathsOf(handler).map((below) => joined(above, below)));
    const description = descriptionOf(handler, context);
    if (method === undefined || description === undefined)
      throw new Error(`the route ${path} (${controller.name}.${name}) has no description`);
    const role = roleOf(path);
    return [{ path: nameOfRoute(path), method, description, role: role === 'open' ? undefined : role }];
  });
}

const pathsOf = (target: object): string[] =>
  [(Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined) ?? ''].flat();

const joined = (above: string, below: string): string =>
  `/${above}/${below}`.replace(/\/+/g, '/').replace(/(?<=.)\/$/, '');
