import { createHash } from 'node:crypto';

/** The partition of a certname: the first four bytes of its SHA-1, unsigned, modulo the count. Fixed for the life of a log. */
export function partitionOf(certname: string, partitions: number): number {
  return createHash('sha1').update(certname, 'utf8').digest().readUInt32BE(0) % partitions;
}

/**
 * A name that falls into the partition, for records that are about no single node. Always the same one: every
 * `partitions`-th name does, so few are tried.
 */
export function nameInPartition(partition: number, partitions: number): string {
  for (let attempt = 0; ; attempt++) {
    const name = `partition ${partition} of ${partitions} #${attempt}`;
    if (partitionOf(name, partitions) === partition) return name;
  }
}
