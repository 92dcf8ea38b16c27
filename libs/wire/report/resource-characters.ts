import type { ResourceStatus } from './statuses';

/**
 * Returns the number of characters that each event of a resource repeats. Each element of the path counts one more
 * character.
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
