import { flattened } from './json-writer';
import { UPDATED_PACKAGE } from './known-packages';
import type { JsonWriter } from './json-writer';
import type { FleetSystem } from './landscape';
import { classResource, moduleResources } from './module-resources';
import { BASE_MODULES } from './modules';
import type { FleetModule, FleetRole } from './modules';
import { NODE_CLASS } from './node-resources';
import { configurationText } from './parameter-text';
import { Random } from './random';
import { referenceTo, tagsOf, typeName } from './resource';
import type { FleetResource } from './resource';

/** `containment` is the JSON text of the edge to the resource from its container. */
export interface WrittenResource {
  readonly resource: FleetResource;
  readonly text: string;
  readonly containment: string;
}

/** All machines with one role and operating system share this part of a catalog. */
export interface RoleCatalog {
  /** The stage, then the classes, then the resources of the classes. */
  readonly resources: readonly WrittenResource[];
  /**
   * Indexes in `resources`. Changes can alter or remove these resources, because only containment edges refer to them.
   */
  readonly free: readonly number[];
  /** Index in `resources` of the package that gets a new version. */
  readonly updated: number;
  /** JSON texts of all edges except containment. */
  readonly relations: readonly string[];
  /**
   * Maps the title of a class to its path. A path begins with `Stage[main]`, followed by titles of classes, as in the
   * reports of agents.
   */
  readonly classPaths: ReadonlyMap<string, readonly string[]>;
}

export interface WrittenModule {
  readonly classes: readonly WrittenResource[];
  readonly resources: readonly WrittenResource[];
  readonly relations: readonly string[];
  /** References to the resources that have relations. Changes must not alter these resources. */
  readonly held: readonly string[];
}

export function writtenModule(
  seed: string,
  module: FleetModule,
  system: FleetSystem,
  writer: JsonWriter,
): WrittenModule {
  const { classes, resources, edges } = moduleResources(seed, module, system);
  return {
    classes: classes.map((one) => written(one, writer)),
    resources: resources.map((one) => written(one, writer)),
    relations: edges.map((edge) => edgeText(edge.source, edge.target, edge.relationship, writer)),
    held: edges.flatMap((edge) => [referenceTo(edge.source), referenceTo(edge.target)]),
  };
}

export function roleCatalog(
  seed: string,
  role: FleetRole,
  system: FleetSystem,
  moduleOf: (module: FleetModule) => WrittenModule,
  writer: JsonWriter,
): RoleCatalog {
  const random = Random.of(seed, 'role', role.name, system.name);
  const modules = [...BASE_MODULES, ...role.modules];
  const parts = modules.map(moduleOf);
  const roleName = `role::${role.name}`;
  const own = [
    stage(random),
    inStage(classResource('main', undefined, random, 1)),
    inStage(classResource('settings', undefined, random, 1)),
    inStage(classResource(roleName, undefined, random, 3)),
    ...modules.map((module) =>
      classResource(`profile::${module.name}`, roleName, Random.of(seed, 'profile', module.name), 3),
    ),
    classResource(NODE_CLASS, roleName, Random.of(seed, 'profile', NODE_CLASS), 2),
    bundle(random, role),
  ].map((resource) => written(resource, writer));
  const resources = distinct([
    ...own,
    ...parts.flatMap((part) => part.classes),
    ...parts.flatMap((part) => part.resources),
  ]);
  const updatedPackage = referenceTo({ type: 'Package', title: UPDATED_PACKAGE });
  const held = new Set([...parts.flatMap((part) => part.held), updatedPackage]);
  return {
    resources,
    free: resources.flatMap(({ resource }, position) =>
      resource.type === 'Class' || resource.type === 'Stage' || held.has(referenceTo(resource)) ? [] : [position],
    ),
    updated: resources.findIndex(({ resource }) => referenceTo(resource) === updatedPackage),
    relations: parts.flatMap((part) => part.relations),
    classPaths: pathsOfClasses(resources.map(({ resource }) => resource)),
  };
}

export function written(resource: FleetResource, writer: JsonWriter): WrittenResource {
  const { type, title, exported, file, line, tags, parameters, container } = resource;
  const parent =
    container === undefined ? undefined : container === MAIN_STAGE ? STAGE : { type: 'Class', title: container };
  return {
    resource,
    text: flattened(writer.value({ type, title, exported, file, line, tags, parameters }, 1)),
    containment: parent === undefined ? '' : edgeText(parent, resource, 'contains', writer),
  };
}

const MAIN_STAGE = 'Stage[main]';
const STAGE = { type: 'Stage', title: 'main' } as const;

function edgeText(source: Named, target: Named, relationship: string, writer: JsonWriter): string {
  const end = ({ type, title }: Named): { type: string; title: string } => ({ type, title });
  return flattened(writer.value({ source: end(source), target: end(target), relationship }, 1));
}

type Named = Pick<FleetResource, 'type' | 'title'>;

function stage(random: Random): FleetResource {
  return {
    ...STAGE,
    exported: false,
    file: '/etc/puppetlabs/code/environments/production/manifests/site.pp',
    line: random.between(1, 5),
    tags: ['stage', 'main'],
    parameters: { name: 'main' },
    container: undefined,
  };
}

function inStage(resource: FleetResource): FleetResource {
  return { ...resource, container: MAIN_STAGE };
}

/** Each role has this resource, so that every catalog contains a large resource. */
function bundle(random: Random, role: FleetRole): FleetResource {
  const container = `role::${role.name}`;
  return {
    type: 'File',
    title: `/etc/${role.name}/policy/bundle.conf`,
    exported: false,
    file: '/etc/puppetlabs/code/environments/production/site/role/manifests/bundle.pp',
    line: 7,
    tags: tagsOf('File', container),
    parameters: { ensure: 'file', owner: 'root', mode: '0644', content: configurationText(random, 38_000) },
    container: typeName(container),
  };
}

/** Two modules can install the same package. The first resource stays. */
function distinct(resources: readonly WrittenResource[]): WrittenResource[] {
  const found = new Map<string, WrittenResource>();
  for (const one of resources) {
    const name = referenceTo(one.resource);
    if (!found.has(name)) found.set(name, one);
  }
  return [...found.values()];
}

function pathsOfClasses(resources: readonly FleetResource[]): Map<string, readonly string[]> {
  const containers = new Map(resources.filter((one) => one.type === 'Class').map((one) => [one.title, one.container]));
  const pathTo = (title: string): string[] => {
    const container = containers.get(title);
    return container === undefined || container === MAIN_STAGE ? [MAIN_STAGE, title] : [...pathTo(container), title];
  };
  return new Map([...containers.keys()].map((title) => [title, pathTo(title)]));
}
