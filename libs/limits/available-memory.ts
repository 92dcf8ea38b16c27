import { totalmem } from 'node:os';

/**
 * Returns the bytes of memory that this process may use. This is the memory of the machine, or the limit of the
 * container (`constrained`) if it is lower.
 */
export function availableMemory(constrained = process.constrainedMemory(), total = totalmem()): number {
  return constrained > 0 ? Math.min(constrained, total) : total;
}
