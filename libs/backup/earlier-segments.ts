import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupFile, Manifest, Segment } from './manifest';

export interface EarlierSegments {
  readonly kept: readonly Segment[];
  readonly next: ReadonlyMap<number, number>;
}

/** Returns the earlier segments of the tail that are still valid, and the next offset of each partition. */
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
    // If a segment is missing, `next` stays at the start of this segment, so the later segments of the partition are
    // not kept.
    if (!follows || !(await isWhole(dir, segment))) continue;
    kept.push(segment);
    next.set(partition, to);
  }
  return { kept, next };
}

/** Compares only the sizes of the files. */
export const isWhole = async (dir: string, segment: Segment): Promise<boolean> =>
  (await isThere(dir, segment)) && (segment.blocks === undefined || (await isThere(dir, segment.blocks)));

async function isThere(dir: string, { file, bytes }: BackupFile): Promise<boolean> {
  const found = await stat(join(dir, file)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return found?.size === bytes;
}
