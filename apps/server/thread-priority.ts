import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Added to the nice value of threads that work in the background. Beside a busy main thread, they get a quarter of a processor. */
const backgroundNice = 5;
const highestNice = 19;

/**
 * Lowers the priority of the calling thread, so that requests go before it where processors are scarce. Linux has priorities of
 * threads. On other systems, and where the system forbids it, the priority stays.
 */
export function yieldToRequests(): void {
  try {
    // "<pid>/task/<tid>". Linux takes the id of a thread wherever it takes that of a process.
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(highestNice, getPriority(thread) + backgroundNice));
  } catch {
    // Nothing else depends on it.
  }
}
