import type { ResourceStatus } from './statuses';

/** Counts the characters of a resource that are stored again with each event. */
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
