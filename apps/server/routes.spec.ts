/** Compares the routes of the service with the table that contains the role of each route. */
import 'reflect-metadata';
import { Controller, type DynamicModule, type ForwardReference, Get, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AdminOptions } from '#admin';
import type { ExportHttpOptions, ImportOptions } from '#archive';
import type { ChangesOptions, WebhookParts } from '#changes';
import { type CommandsOptions, IntakeLimits } from '#commands';
import { Access, describedRole, joinGrants } from '#access';
import type { Database } from '#database';
import { nameOfRoute } from '#http';
import { defaultLimits } from '#limits';
import { ServedPaths, ServiceState } from '#observe';
import type { ApiContext } from '#openapi';
import type { QueryOptions } from '#query';
import { nameOfQuery } from '../../libs/query/http/query-route';
import { routes as queryRoutes } from '../../libs/query/http/routes';
import type { ApiOptions } from './api/api-options';
import { describedRoutes } from './api/described-routes';
import type { MetricsOptions } from './metrics/metrics-options';
import type { Operation } from './operation/operation-report';
import type { Works } from './operation/work/works';
import { ServerModule } from './server.module';

type Imported = NonNullable<DynamicModule['imports']>[number];
const isDynamic = (module: Imported): module is DynamicModule => 'module' in module;

/** Returns the controllers in a module and in the modules that it imports. */
function controllersOf(module: Exclude<Imported, Promise<DynamicModule> | ForwardReference>): Type[] {
  if (!isDynamic(module)) {
    return (Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) as Type[] | undefined) ?? [];
  }
  const below = (module.imports ?? []).flatMap((one) => controllersOf(one as Type | DynamicModule));
  return [...(module.controllers ?? []), ...below];
}

function routesOf(controller: Type): string[] {
  const paths = (target: object): string[] => [Reflect.getMetadata(PATH_METADATA, target) as string | string[]].flat();
  const prototype = controller.prototype as Record<string, object>;
  return Object.getOwnPropertyNames(prototype)
    .map((name) => prototype[name]!)
    .filter((handler) => Reflect.getMetadata(METHOD_METADATA, handler) in RequestMethod)
    .flatMap((handler) => paths(controller).flatMap((above) => paths(handler).map((path) => `/${above}/${path}`)))
    .map((route) => route.replace(/\/+/g, '/').replace(/(?<=.)\/$/, ''));
}

// The modules get empty objects, because the test reads only their declarations.
const state = {} as ServiceState;
const queries = { limits: defaultLimits, settings: {} } as unknown as QueryOptions;
const pages = { folder: '/nowhere', access: new Access(() => joinGrants(undefined, undefined)) };
const api: ApiOptions = {
  version: '1.0.0',
  edition: 'full',
  dialect: 'neutral',
  strict: false,
  limits: defaultLimits,
};
const write = {
  commands: { checksums: {}, limits: new IntakeLimits(1_000) } as CommandsOptions,
  admin: {} as AdminOptions,
  imports: {} as ImportOptions,
  operation: { operation: {} as Operation, origins: [], works: {} as Works, database: {} as Database },
};
const metrics = { jolokia: {} } as MetricsOptions;
const server = ServerModule.register({
  state,
  api,
  metrics,
  queries,
  console: pages,
  exports: {} as ExportHttpOptions,
  changes: { queries, live: {} } as ChangesOptions,
  webhooks: {} as WebhookParts,
  write,
});
const declared = [...new Set(controllersOf(server).flatMap(routesOf))].sort();

test('the routes are found', () => {
  expect(declared).toEqual(
    expect.arrayContaining(['/', '/metrics', '/metrics/v2/*', '/nodeledger/v1/dead-letters/:name', '/pdb/cmd/v1']),
  );
  expect(declared.length).toBeGreaterThan(20);
});

test('a process with all components tells of all its routes', () => {
  const served = new ServedPaths(new Set(['write', 'project', 'read']));
  expect(declared.filter((route) => !served.has(route))).toEqual(['/', '/pdb', '/pdb/dashboard/index.html']);
});

test.each(declared)('the table has the role of %s', (route) => expect(describedRole(route)).toBeDefined());

test('only the metrics need the role metrics', () => {
  const metrics = declared.filter((route) => describedRole(route) === 'metrics');
  expect(metrics).toEqual(declared.filter((route) => /^\/metrics(\/|$)/.test(route)));
  expect(metrics).toContain('/metrics');
});

describe('the OpenAPI document', () => {
  interface Registered {
    readonly url: string;
    readonly method: string;
  }
  type Paths = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;

  /** Returns the routes that Fastify has registered, and the paths in the OpenAPI document. */
  async function open(module: DynamicModule): Promise<{ registered: Registered[]; paths: Paths }> {
    const registered: Registered[] = [];
    const adapter = new FastifyAdapter();
    adapter.getInstance().addHook('onRoute', ({ url, method }) => {
      for (const one of [method].flat()) registered.push({ url, method: one });
    });
    const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
      logger: false,
      abortOnError: false,
    });
    await app.init();
    const { payload } = await app.inject('/openapi.json');
    return { registered, paths: (JSON.parse(payload) as { paths: Paths }).paths };
  }

  let registered: Registered[];
  let paths: Paths;
  beforeAll(async () => {
    ({ registered, paths } = await open(server));
  });

  /**
   * Returns whether a path in the document matches the URL of a route. A route with a wildcard matches several paths.
   */
  const fits = (path: string, url: string): boolean =>
    url.endsWith('/*') ? path.startsWith(url.slice(0, -1)) : path === nameOfRoute(url);
  /** Returns whether the routes with this URL have all of these methods. Such a URL answers every method. */
  const answersAll = (url: string): boolean =>
    registered.some((one) => one.url === url && one.method === 'PATCH') &&
    registered.some((one) => one.url === url && one.method === 'POST');

  test('has every route of the server', () => {
    expect(registered.length).toBeGreaterThan(40);
    const missing = registered.filter(
      ({ url, method }) =>
        method !== 'HEAD' &&
        !Object.entries(paths).some(
          ([path, item]) => fits(path, url) && (answersAll(url) || method.toLowerCase() in item),
        ),
    );
    expect(missing).toEqual([]);
  });

  test('has no other routes', () => {
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [path, method]),
    );
    expect(described.length).toBeGreaterThan(100);
    const others = described.filter(
      ([path = '', method = '']) =>
        !registered.some(({ url, ...one }) => fits(path, url) && one.method === method.toUpperCase()),
    );
    expect(others).toEqual([]);
  });

  test.each([
    ['write', { write }, '/pdb/cmd/v1'],
    ['read', { queries, console: pages }, '/pdb/query/v4/nodes'],
    ['project', {}, '/status/v1/services'],
  ] as const)('of a process with the component %s has what the process serves', async (component, part, path) => {
    const found = await open(ServerModule.register({ state, api, metrics, ...part }));
    const served = new ServedPaths(new Set([component]));
    const pages = ['/', '/pdb', '/pdb/dashboard/index.html'];
    expect(Object.keys(found.paths).filter((one) => !served.has(one) && !pages.includes(one))).toEqual([]);
    expect(found.paths).toHaveProperty([path]);
    expect(Object.keys(found.paths).length).toBeLessThan(Object.keys(paths).length);
  });

  test('names the role that each path needs', () => {
    const roleOf = (path: string): unknown => Object.values(paths[path]!)[0]!['x-required-role'];
    expect(['/pdb/query/v4/nodes/{certname}', '/pdb/cmd/v1', '/pdb/admin/v1/cmd', '/metrics'].map(roleOf)).toEqual([
      'query',
      'submit',
      'admin',
      'metrics',
    ]);
    for (const path of ['/status/v1/simple', '/openapi.json', '/docs/api'])
      expect([path, roleOf(path), paths[path]!['get']!['security']]).toEqual([path, undefined, []]);
  });

  test('has every path of queries', () => {
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(queryRoutes.map((route) => nameOfQuery(route))));
  });
});

test('a route that nobody has described is an error when the document is made', () => {
  @Controller('somewhere')
  class Undescribed {
    @Get()
    get(): void {}
  }
  expect(() => describedRoutes([Undescribed], {} as ApiContext)).toThrow(
    '/somewhere (Undescribed.get) has no description',
  );
});
