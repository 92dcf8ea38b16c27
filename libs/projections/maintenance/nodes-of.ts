import type { PartitionOfNodes } from '#wire';

/**
 * Returns an SQL expression for the partition of a node among `partitions`. `node` is an SQL expression for its key.
 * Computes the same as `partitionOf` of #log.
 */
export const partitionOfNode = (node: string, partitions: string): string =>
  `((${node} >> 32) & 4294967295) % ${partitions}`;

/**
 * Returns the SQL condition that the node with this key is in all subsets. `parts` and `ofParts` are SQL expressions
 * for two integer arrays.
 */
export const isIn = (node: string, parts: string, ofParts: string): string =>
  `NOT EXISTS (SELECT FROM unnest(${parts}, ${ofParts}) AS p(part, parts) WHERE ${partitionOfNode(node, 'p.parts')} <> p.part)`;

export const partsOf = (nodes: readonly PartitionOfNodes[]): { parts: number[]; ofParts: number[] } => ({
  parts: nodes.map(({ partition }) => partition),
  ofParts: nodes.map(({ partitions }) => partitions),
});
