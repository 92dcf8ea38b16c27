import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

export interface DiskSpace {
  /** Number of bytes that a program without privileges can still write. */
  readonly free: number;
  readonly total: number;
}

const largestDefault = 2 * 2 ** 30;

/**
 * Measures the file system that contains the embedded PostgreSQL in a data directory. The folder `postgres` in the data
 * directory may be a link to another file system.
 */
export async function diskSpace(dataDir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(join(dataDir, 'postgres'));
  return { free: bavail * bsize, total: blocks * bsize };
}

/**
 * Returns the size in bytes above which a snapshot shortens the history of the embedded log, or Infinity if the setting
 * is 0. The default is a quarter of the file system, because a snapshot needs space for a second set of read tables.
 */
export const mostLogBytes = (logMaxBytes: number | undefined, total: number): number =>
  logMaxBytes === undefined ? total / 4 : logMaxBytes === 0 ? Infinity : logMaxBytes;

/**
 * Returns the number of bytes that must stay free on the file system, so that the read tables and the write-ahead log
 * can grow. The default is a tenth of the file system, but at most 2 GB, because the write-ahead log grows to at most 2
 * GB.
 */
export const diskReserve = (minFree: number | undefined, total: number): number =>
  minFree ?? Math.min(largestDefault, total / 10);
