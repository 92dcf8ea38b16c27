import { readObjects } from '../check/elements';
import type { Members } from '../check/members';
import { shape } from '../check/shape';
import type { PartitionOfNodes } from '../documents';

const part = shape(['partition', 'partitions']);

export function readParts<K extends string>(members: Members<K>, name: K): PartitionOfNodes[] {
  if (members.kind(name) !== 'array') {
    members.wrong(name, 'an array');
    return [];
  }
  return readObjects(members, name, part, (each) => {
    const found = { partition: each.integer('partition', 32), partitions: each.integer('partitions', 32) };
    if (found.partitions < 1) each.wrong('partitions', 'a positive integer');
    return found;
  });
}
