import { totalmem } from 'node:os';

/**
 * Returns the bytes of memory that this process may use: of the machine, or of the container (`constrained`) if that has
 * a limit.
 */
export function availableMemory(constrained = process.constrainedMemory(), total = totalmem()): number {
  return constrained > 0 ? Math.min(constrained, total) : total;
}
