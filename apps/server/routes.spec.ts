/** Compares the routes that the service declares with the table of what each needs. */
import 'reflect-metadata';
import { type DynamicModule, type ForwardReference, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import type { AdminOptions } from '#admin';
import type { ExportHttpOptions, ImportOptions } from '#archive';
import type { CommandsOptions } from '#commands';
import { ruleOf, defaultRule } from '#access';
import { ServedPaths, ServiceState } from '#observe';
import type { QueryOptions } from '#query';
import type { MetricsOptions } from './metrics/metrics-options';
import { ServerModule } from './server.module';

type Imported = NonNullable<DynamicModule['imports']>[number];
const isDynamic = (module: Imported): module is DynamicModule => 'module' in module;

/** Controllers of a module and of those that it imports. */
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

// Nothing is opened: only what is declared counts.
const server = ServerModule.register({
  state: {} as ServiceState,
  metrics: {} as MetricsOptions,
  queries: {} as QueryOptions,
  exports: {} as ExportHttpOptions,
  write: {
    commands: { checksums: {} } as CommandsOptions,
    admin: {} as AdminOptions,
    imports: {} as ImportOptions,
  },
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

test.each(declared)('%s has a rule', (route) => expect(ruleOf(route, route)).not.toBe(defaultRule));

test('the allowlist guards what needs a role, except the metrics, and of the rest what lies below /pdb', () => {
  const rules = declared.map((route) => ({ route, ...ruleOf(route, route) }));
  const needing = rules.filter(({ role }) => role !== 'open');
  expect(needing.filter(({ listed }) => !listed).map(({ role }) => role)).toEqual(
    needing.filter(({ role }) => role === 'metrics').map(({ role }) => role),
  );
  const open = rules.filter(({ role, listed }) => role === 'open' && listed).map(({ route }) => route);
  expect(open.length).toBeGreaterThan(0);
  open.forEach((route) => expect(route).toMatch(/^\/pdb(\/(meta|dashboard)\/|$)/));
});

test('the metrics alone ask where the client is', () => {
  const trusted = declared.filter((route) => ruleOf(route, route).trusted);
  expect(trusted).toEqual(declared.filter((route) => ruleOf(route, route).role === 'metrics'));
  trusted.forEach((route) => expect(route).toMatch(/^\/metrics(\/|$)/));
  expect(trusted).toContain('/metrics');
});

test('where no route fits, the allowlist guards what lies below /pdb and /nodeledger', () => {
  for (const path of ['/pdb', '/pdb/no', '/nodeledger/v2']) expect(ruleOf(undefined, path).listed).toBe(true);
  for (const path of ['/', '/no', '/pdbx', '/metrics/no']) expect(ruleOf(undefined, path).listed).toBe(false);
});
