import { createHash } from 'node:crypto';

/**
 * Returns the partition of a certname: the first four bytes of its SHA-1, unsigned, modulo the number of partitions.
 */
export function partitionOf(certname: string, partitions: number): number {
  return createHash('sha1').update(certname, 'utf8').digest().readUInt32BE(0) % partitions;
}

/**
 * Returns a name that belongs to the partition, for records that are not about one node. Always returns the same name
 * for a partition. Tries about `partitions` names.
 */
export function nameInPartition(partition: number, partitions: number): string {
  for (let attempt = 0; ; attempt++) {
    const name = `partition ${partition} of ${partitions} #${attempt}`;
    if (partitionOf(name, partitions) === partition) return name;
  }
}
