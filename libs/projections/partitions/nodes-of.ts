import type { PartitionOfNodes } from '#wire';

/** SQL: the partition into which the node with this key falls when there are `partitions`; as `partitionOf` of #log. */
export const partitionOfNode = (node: string, partitions: string): string =>
  `((${node} >> 32) & 4294967295) % ${partitions}`;

/** SQL: whether the node with this key is in all of the parts, which two arrays of integers name. */
export const isIn = (node: string, parts: string, ofParts: string): string =>
  `NOT EXISTS (SELECT FROM unnest(${parts}, ${ofParts}) AS p(part, parts) WHERE ${partitionOfNode(node, 'p.parts')} <> p.part)`;

/** The two arrays. */
export const partsOf = (nodes: readonly PartitionOfNodes[]): { parts: number[]; ofParts: number[] } => ({
  parts: nodes.map(({ partition }) => partition),
  ofParts: nodes.map(({ partitions }) => partitions),
});
