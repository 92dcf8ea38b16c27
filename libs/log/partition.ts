import { createHash } from 'node:crypto';

/** Must never change, because existing logs contain the records of a certname in this partition. */
export function partitionOf(certname: string, partitions: number): number {
  return createHash('sha1').update(certname, 'utf8').digest().readUInt32BE(0) % partitions;
}

/** For records that are not about one node. Returns the same name at each call. Tries about `partitions` names. */
export function nameInPartition(partition: number, partitions: number): string {
  for (let attempt = 0; ; attempt++) {
    const name = `partition ${partition} of ${partitions} #${attempt}`;
    if (partitionOf(name, partitions) === partition) return name;
  }
}
