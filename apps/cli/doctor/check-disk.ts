import { statfs } from 'node:fs/promises';
import type { Finding } from './finding';

const check = 'disk';
const gigabyte = 1e9;
/** Below both, a load of a few hours can fill the disk. */
const least = { bytes: 5 * gigabyte, part: 0.1 };

/** The free space where the embedded PostgreSQL keeps its data. */
export async function checkDisk(directory: string): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(directory);
  const [free, all] = [bavail * bsize, blocks * bsize];
  const text = `${(free / gigabyte).toFixed(1)} GB of ${(all / gigabyte).toFixed(1)} GB are free in ${directory}.`;
  if (free >= least.bytes || free >= least.part * all) return { check, level: 'ok', text };
  return {
    check,
    level: 'warning',
    text,
    remedy:
      'Free space, shorten the log (nodeledger snapshot), or keep reports for a shorter time (NODELEDGER_REPORT_TTL).',
  };
}
