import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFile, Manifest, Segment } from './manifest';

/** Valid segments of the tail that an earlier backup wrote, and the next offset of each partition. */
export interface EarlierSegments {
  readonly kept: readonly Segment[];
  readonly next: ReadonlyMap<number, number>;
}

/**
 * If a file is missing or has another size, the segments of its partition before it are kept, and the rest is written
 * again.
 */
export async function earlierSegments(
  dir: string,
  earlier: Manifest | undefined,
  tails: ReadonlyMap<number, number>,
): Promise<EarlierSegments> {
  const kept: Segment[] = [];
  const next = new Map(tails);
  for (const segment of earlier?.log.tail ?? []) {
    const { partition, from, to } = segment;
    const tail = tails.get(partition);
    if (tail === undefined || to <= tail) continue;
    const wanted = next.get(partition) as number;
    const follows = wanted === tail ? from <= tail : from === wanted;
    // The segments after a missing one do not follow, because `next` stays.
    if (!follows || !(await isThere(dir, segment))) continue;
    kept.push(segment);
    next.set(partition, to);
  }
  return { kept, next };
}

export async function isThere(dir: string, { file, bytes }: BackupFile): Promise<boolean> {
  const found = await stat(join(dir, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found?.size === bytes;
}
