import { constants, getPriority, setPriority } from 'node:os';

/**
 * Added to the nice value. Next to a busy main thread on the same processor, such a thread gets a quarter of the time.
 */
const backgroundNice = 5;

/**
 * Lowers the priority of the calling thread, so that requests come first if processors are scarce. Only Linux has
 * priorities of threads: there, 0 is the calling thread; elsewhere, it is the whole process.
 */
export function yieldToRequests(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + backgroundNice));
  } catch {
    // The system forbids it. Nothing depends on it.
  }
}
