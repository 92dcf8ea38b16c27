/**
 * The first change to a machine's catalog contains the new version of one package, and the report of the same run
 * contains the change. The package inventory has the new version from the next run on.
 */
import { hasChanged } from './catalog-history';
import { UPDATED_PACKAGE, knownVersion } from './known-packages';
import type { FleetNode } from './node';
import type { FleetResource } from './resource';

/** Returns undefined if the machine's release gets no update. */
export function updatedResource(node: FleetNode, resource: FleetResource): FleetResource | undefined {
  const { update } = node.release;
  return update === undefined ? undefined : { ...resource, parameters: { ...resource.parameters, ensure: update } };
}

/** Returns the version at the beginning of a run. The package must be in known-packages.ts. */
export function installedVersionOf(seed: string, node: FleetNode, run: number, name: string): string {
  const { update } = node.release;
  const isUpdated =
    name === UPDATED_PACKAGE && !node.noop && node.trouble !== 'not-compiled' && hasChanged(seed, node, run - 1);
  return ((isUpdated ? update : undefined) ?? knownVersion(node.system, node.release, name)) as string;
}

/**
 * Two equal versions mean that the change installed the package. Returns undefined if no version of the package is
 * known.
 */
export function changedVersions(
  node: FleetNode,
  { title, parameters }: FleetResource,
): readonly [before: string, now: string] | undefined {
  const { system, release } = node;
  const now = knownVersion(system, release, title);
  if (now === undefined) return undefined;
  if (title === UPDATED_PACKAGE && parameters['ensure'] === release.update) return [now, release.update ?? now];
  const before = system.releases[system.releases.indexOf(release) - 1] ?? release;
  return [knownVersion(system, before, title) ?? now, now];
}
