import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

export interface DiskSpace {
  /** Bytes that a program without privileges can still write. */
  readonly free: number;
  readonly total: number;
}

const largestDefault = 2 * 2 ** 30;

/** Measures the file system that holds the embedded PostgreSQL of a data directory. The folder may be a link to another one. */
export async function diskSpace(dataDir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(join(dataDir, 'postgres'));
  return { free: bavail * bsize, total: blocks * bsize };
}

/**
 * Returns the size of the embedded log above which a snapshot removes the older end of the history. The default is a quarter of the file
 * system: a snapshot needs room for read tables twice.
 */
export const mostLogBytes = (logMaxBytes: number | undefined, total: number): number =>
  logMaxBytes === undefined ? total / 4 : logMaxBytes === 0 ? Infinity : logMaxBytes;

/**
 * Returns how many bytes of the file system must stay free for PostgreSQL's other data: read tables and the write-ahead
 * log, which takes at most 2 GB.
 */
export const diskReserve = (minFree: number | undefined, total: number): number =>
  minFree ?? Math.min(largestDefault, total / 10);
