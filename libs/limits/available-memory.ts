import { totalmem } from 'node:os';

/** Returns the memory of the machine in bytes, or the limit of the container (`constrained`) if this limit is lower. */
export function availableMemory(constrained = process.constrainedMemory(), total = totalmem()): number {
  return constrained > 0 ? Math.min(constrained, total) : total;
}
