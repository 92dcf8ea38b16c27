import type { PartitionOfNodes } from '#wire';

/** SQL: the partition of the node with this key if there are `partitions`, like `partitionOf` of #log. */
export const partitionOfNode = (node: string, partitions: string): string =>
  `((${node} >> 32) & 4294967295) % ${partitions}`;

/** SQL: whether the node with this key is in all subsets, which are two arrays of integers. */
export const isIn = (node: string, parts: string, ofParts: string): string =>
  `NOT EXISTS (SELECT FROM unnest(${parts}, ${ofParts}) AS p(part, parts) WHERE ${partitionOfNode(node, 'p.parts')} <> p.part)`;

/** Returns the two arrays. */
export const partsOf = (nodes: readonly PartitionOfNodes[]): { parts: number[]; ofParts: number[] } => ({
  parts: nodes.map(({ partition }) => partition),
  ofParts: nodes.map(({ partitions }) => partitions),
});
