import { constants, getPriority, setPriority } from 'node:os';

/** Added to the nice value. On a processor that it shares with a busy main thread, such a thread gets a quarter of the time. */
const backgroundNice = 5;

/**
 * Lowers the priority of the calling thread, so that requests go before it where processors are scarce. Only Linux has priorities of
 * threads: there, 0 stands for the calling thread, and elsewhere for the whole process.
 */
export function yieldToRequests(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + backgroundNice));
  } catch {
    // The system forbids it. Nothing else depends on it.
  }
}
