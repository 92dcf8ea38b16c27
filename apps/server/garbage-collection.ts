import { setFlagsFromString } from 'node:v8';

/** Megabytes of a semi-space of the young generation, in threads that are started later. */
const semiSpaceMb = 8;

/** Megabytes of the young generation of such a thread, as V8 counts them: three semi-spaces. */
export const youngGenerationMb = 3 * semiSpaceMb;

/** Flags of V8, for the whole process. */
export const garbageCollectionFlags: readonly string[] = [
  // The old generation may double between two collections.
  '--heap-growing-percent=100',
  // The main thread keeps the young generation that it starts with. So Buffers that are no longer used go with the next small
  // collection, before they count.
  '--semi-space-growth-factor=1',
  // Threads begin with a larger one, because they allocate much more.
  `--min-semi-space-size=${semiSpaceMb}`,
];

/**
 * Makes collections of the whole heap rarer. Bodies and payloads are Buffers, whose bytes lie outside the heap. V8 counts them
 * only for the old generation, which it lets grow by 8 MB between two collections of a small heap. So each 8 MB of bodies led to a
 * collection of the whole heap: 1 to 2 ms of processor time a command (docs/performance.md). Call this before the first thread starts,
 * and in each thread, whose start has set the growth factor of the whole process back to 2.
 */
export function tuneGarbageCollection(): void {
  for (const flag of garbageCollectionFlags) setFlagsFromString(flag);
}
