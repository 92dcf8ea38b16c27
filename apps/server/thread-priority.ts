import { constants, getPriority, setPriority } from 'node:os';

/**
 * If a background thread with this nice value shares a processor with the busy main thread, the background thread gets
 * a quarter of the processor's time.
 */
const backgroundNice = 5;

/**
 * Lowers the priority of the calling thread (0) or of the process `id`. Only Linux has priorities for threads: on other
 * systems, the call would lower the priority of the whole process.
 */
export function yieldToRequests(id = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(id, Math.min(constants.priority.PRIORITY_LOW, getPriority(id) + backgroundNice));
  } catch {
    // The operating system may refuse the call.
  }
}
