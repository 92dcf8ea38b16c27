import { catalogState } from './catalog-history';
import type { CatalogState } from './catalog-history';
import { RawJson } from './json-writer';
import type { JsonWriter } from './json-writer';
import type { FleetNode } from './node';
import { addedResource, nodeResources } from './node-resources';
import { settingText, word } from './parameter-text';
import { updatedResource } from './package-update';
import { Random } from './random';
import type { FleetResource } from './resource';
import { written } from './role-catalog';
import type { RoleCatalog, WrittenResource } from './role-catalog';
import type { RunIdentity } from './run';

export interface NodeCatalog {
  readonly resources: readonly FleetResource[];
  readonly state: CatalogState;
  readonly touched: readonly FleetResource[];
  text(identity: RunIdentity): string;
}

export function nodeCatalog(
  seed: string,
  node: FleetNode,
  run: number,
  shared: RoleCatalog,
  writer: JsonWriter,
): NodeCatalog {
  const own = nodeResources(seed, node).map((resource) => written(resource, writer));
  const all = [...shared.resources, ...own];
  const firstOwn = shared.resources.length;
  const positionOf = (free: number): number => shared.free[free] ?? firstOwn + free - shared.free.length;
  const state = catalogState(seed, node, run, shared.free.length + own.length);

  for (const [free, version] of state.versions) {
    const position = positionOf(free);
    const before = (all[position] as WrittenResource).resource;
    all[position] = written(changed(seed, before, version), writer);
  }
  const update =
    state.revision > 0 ? updatedResource(node, (all[shared.updated] as WrittenResource).resource) : undefined;
  if (update !== undefined) all[shared.updated] = written(update, writer);
  const added = state.added.map((serial) => written(addedResource(seed, node, serial), writer));
  const touched = state.touched.changed.flatMap((free) =>
    state.removed.has(free) ? [] : [all[positionOf(free)] as WrittenResource],
  );
  const removed = new Set([...state.removed].map(positionOf));
  const present = [...(removed.size > 0 ? all.filter((_, position) => !removed.has(position)) : all), ...added];
  const newest = new Set(state.touched.added);
  return {
    resources: present.map((one) => one.resource),
    state,
    touched: [
      ...(update !== undefined && state.changedNow && state.revision === 1 ? [update] : []),
      ...new Set(touched.map((one) => one.resource)),
      ...state.added.flatMap((serial, i) => (newest.has(serial) ? [(added[i] as WrittenResource).resource] : [])),
    ],
    text: (identity) => catalogText(node, identity, present, shared.relations, writer),
  };
}

function catalogText(
  node: FleetNode,
  identity: RunIdentity,
  present: readonly WrittenResource[],
  relations: readonly string[],
  writer: JsonWriter,
): string {
  const contained = present.flatMap((one) => (one.containment === '' ? [] : [one.containment]));
  return writer.value(
    {
      certname: node.certname,
      version: identity.configurationVersion,
      environment: node.environment,
      transaction_uuid: identity.transactionUuid,
      catalog_uuid: identity.catalogUuid,
      code_id: identity.codeId,
      job_id: identity.jobId,
      producer: node.producer,
      producer_timestamp: identity.catalogTime,
      resources: new RawJson(writer.array(present.map((one) => one.text))),
      edges: new RawJson(writer.array([...contained, ...relations])),
    },
    0,
  );
}

/**
 * A change depends on the resource and not on the machine, so that machines with the same role get equal parameters.
 */
function changed(seed: string, resource: FleetResource, version: number): FleetResource {
  const random = Random.of(seed, 'changed', resource.type, resource.title, version);
  const { content, ensure } = resource.parameters;
  const parameters =
    typeof content === 'string'
      ? { ...resource.parameters, content: `${content}${word(random)}_revision = ${settingText(random)}\n` }
      : resource.type === 'Package' && ensure === 'installed'
        ? { ...resource.parameters, ensure: version % 2 === 1 ? 'latest' : 'installed' }
        : resource.type === 'Package' && typeof ensure === 'string'
          ? { ...resource.parameters, ensure: `${random.between(1, 20)}.${random.between(0, 40)}.${version}` }
          : { ...resource.parameters, revision: `${word(random)}-${version}` };
  return { ...resource, line: resource.line + version, parameters };
}
