import { constants, getPriority, setPriority } from 'node:os';

/**
 * Amount by which the nice value of a background thread is raised. While the main thread is busy on the same processor,
 * the background thread then gets a quarter of the processor's time.
 */
const backgroundNice = 5;

/**
 * Lowers the priority of the calling thread, or of the process `id`, so that the main thread answers requests first if
 * processors are scarce. Does nothing on other systems than Linux. Only Linux has priorities for threads. On other
 * systems, the call would lower the priority of the whole process.
 */
export function yieldToRequests(id = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(id, Math.min(constants.priority.PRIORITY_LOW, getPriority(id) + backgroundNice));
  } catch {
    // The operating system may refuse the call. The thread then keeps its priority.
  }
}
