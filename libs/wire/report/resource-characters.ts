import type { ResourceStatus } from './statuses';

/**
 * Returns the number of characters that each event of a resource repeats. An element of the path counts as one more.
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
