import type { PartitionOfNodes } from '#wire';

/**
 * Returns an SQL expression for the partition of a node. `node` is SQL for its key. Must give the same result as
 * `partitionOf` of #log.
 */
export const partitionOfNode = (node: string, partitions: string): string =>
  `((${node} >> 32) & 4294967295) % ${partitions}`;

/** Returns the SQL condition that the node is in all subsets. `parts` and `ofParts` are SQL for integer arrays. */
export const isIn = (node: string, parts: string, ofParts: string): string =>
  `NOT EXISTS (SELECT FROM unnest(${parts}, ${ofParts}) AS p(part, parts) WHERE ${partitionOfNode(node, 'p.parts')} <> p.part)`;

export const partsOf = (nodes: readonly PartitionOfNodes[]): { parts: number[]; ofParts: number[] } => ({
  parts: nodes.map(({ partition }) => partition),
  ofParts: nodes.map(({ partitions }) => partitions),
});
