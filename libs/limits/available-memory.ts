import { totalmem } from 'node:os';

/** Bytes of memory that this process may use: those of the machine, or of the container if it is limited. */
export function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}
