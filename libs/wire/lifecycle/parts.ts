import { eachElement } from '../check/elements';
import { Members } from '../check/members';
import { shape } from '../check/shape';
import type { PartitionOfNodes } from '../documents';

const part = shape(['partition', 'partitions']);

/** Reads a member that selects nodes: an array of objects with partition and partitions. */
export function readParts<K extends string>(members: Members<K>, name: K): PartitionOfNodes[] {
  const { scan, problems } = members;
  const parts: PartitionOfNodes[] = [];
  if (members.kind(name) !== 'array') {
    members.wrong(name, 'an array');
    return parts;
  }
  const each = new Members(scan, part, problems, 2);
  each.base = name;
  eachElement(scan, members.start(name), (pos, index) => {
    each.index = index;
    const end = each.open(pos);
    const found = { partition: each.integer('partition', 32), partitions: each.integer('partitions', 32) };
    if (found.partitions < 1) each.wrong('partitions', 'a positive integer');
    parts.push(found);
    return end;
  });
  return parts;
}
