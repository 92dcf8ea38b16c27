import { createHash } from 'node:crypto';

/**
 * Returns the partition of a certname. The result must never change, because existing logs contain the certname's
 * records in this partition.
 */
export function partitionOf(certname: string, partitions: number): number {
  return createHash('sha1').update(certname, 'utf8').digest().readUInt32BE(0) % partitions;
}

/**
 * Returns a name that belongs to the partition, for records that are not about one node. Returns the same name at each
 * call. Tries about as many names as there are partitions.
 */
export function nameInPartition(partition: number, partitions: number): string {
  for (let attempt = 0; ; attempt++) {
    const name = `partition ${partition} of ${partitions} #${attempt}`;
    if (partitionOf(name, partitions) === partition) return name;
  }
}
