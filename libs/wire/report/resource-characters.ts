import type { ResourceStatus } from './statuses';

/**
 * Returns the number of characters in a resource's type, title, file and containment path, which are stored again with
 * each event of the resource. Each element of the path adds one more.
 */
export function resourceCharacters({
  resourceType,
  resourceTitle,
  file,
  containmentPath,
}: Pick<ResourceStatus, 'resourceType' | 'resourceTitle' | 'file' | 'containmentPath'>): number {
  let sum = resourceType.length + resourceTitle.length + (file?.length ?? 0);
  for (const element of containmentPath ?? []) sum += element.length + 1;
  return sum;
}
