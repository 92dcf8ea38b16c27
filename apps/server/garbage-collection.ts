import { setFlagsFromString } from 'node:v8';

/** Megabytes of a semi-space of the young generation: always in threads that are started later, the most in the main thread. */
const semiSpaceMb = 8;

/** Megabytes of the young generation of such a thread, as V8 counts them: three semi-spaces. */
export const youngGenerationMb = 3 * semiSpaceMb;

/**
 * The flag of Node.js with which the programs are started (package.json, deploy): it limits the young generation of the main thread.
 * Then collections of it are frequent enough to free Buffers that are no longer used before their bytes lead to a collection of the
 * whole heap, which stops requests for 10 to 30 ms. With a smaller one, large answers take longer. V8 reads it only when a process
 * starts.
 */
export const mainThreadFlag = `--max-semi-space-size=${semiSpaceMb}`;

/** Flags of V8, for the whole process. */
export const garbageCollectionFlags: readonly string[] = [
  // The old generation may double between two collections.
  '--heap-growing-percent=100',
  // Threads begin with a larger young generation, because they allocate much more.
  `--min-semi-space-size=${semiSpaceMb}`,
];

/**
 * Makes collections of the whole heap rarer. Bodies and payloads are Buffers, whose bytes lie outside the heap. V8 counts them
 * only for the old generation, which it lets grow by 8 MB between two collections of a small heap. So each 8 MB of bodies led to a
 * collection of the whole heap: 1 to 2 ms of processor time a command (docs/performance-history.md). Call this before the first
 * thread starts.
 */
export function tuneGarbageCollection(): void {
  for (const flag of garbageCollectionFlags) setFlagsFromString(flag);
}
