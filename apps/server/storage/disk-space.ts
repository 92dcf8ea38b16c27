import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

export interface DiskSpace {
  /** Bytes that a program without privileges can still write. */
  readonly free: number;
  readonly total: number;
}

const largestDefault = 2 * 2 ** 30;

/** The folder `postgres` in the data directory may be a link to another file system. */
export async function diskSpace(dataDir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(join(dataDir, 'postgres'));
  return { free: bavail * bsize, total: blocks * bsize };
}

/**
 * The log may take a quarter of the file system by default, because a snapshot needs space for a second set of read
 * tables.
 */
export const mostLogBytes = (logMaxBytes: number | undefined, total: number): number =>
  logMaxBytes === undefined ? total / 4 : logMaxBytes === 0 ? Infinity : logMaxBytes;

/**
 * The read tables and the write-ahead log need this space to grow. The default is at most 2 GB, because the write-ahead
 * log grows to at most 2 GB.
 */
export const diskReserve = (minFree: number | undefined, total: number): number =>
  minFree ?? Math.min(largestDefault, total / 10);
