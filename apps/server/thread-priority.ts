import { constants, getPriority, setPriority } from 'node:os';

/**
 * Amount by which the nice value of a background thread is raised. If the main thread is busy on the same processor, a
 * thread with this value gets a quarter of the processor's time.
 */
const backgroundNice = 5;

/**
 * Lowers the priority of the calling thread, or of the process `id`, so that the main thread answers requests first if processors are scarce.
 * Does nothing on systems other than Linux, because only Linux has priorities for threads: elsewhere, process id 0
 * means the whole process.
 */
export function yieldToRequests(id = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(id, Math.min(constants.priority.PRIORITY_LOW, getPriority(id) + backgroundNice));
  } catch {
    // The operating system may refuse the call. The thread then keeps its priority.
  }
}
