import { createHash } from 'node:crypto';

/** The partition of a certname: the first four bytes of its SHA-1, unsigned, modulo the count. Fixed for the life of a log. */
export function partitionOf(certname: string, partitions: number): number {
  return createHash('sha1').update(certname, 'utf8').digest().readUInt32BE(0) % partitions;
}
