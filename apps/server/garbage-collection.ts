import { setFlagsFromString } from 'node:v8';

/**
 * Megabytes of a semi-space in V8's young generation: the initial size in threads, and the maximum in the main thread.
 */
const semiSpaceMb = 8;

/** V8 reserves three semi-spaces for the young generation of a thread. */
export const youngGenerationMb = 3 * semiSpaceMb;

/**
 * Every program must be started with this flag of Node.js, because V8 reads the flag only when a process starts. A
 * small young generation is collected often, and each collection frees unused Buffers. Otherwise the bytes of these
 * Buffers would cause a collection of the whole heap, which stops requests for 10 to 30 ms. A limit below 8 MB makes
 * large answers slower.
 */
export const mainThreadFlag = `--max-semi-space-size=${semiSpaceMb}`;

export const garbageCollectionFlags: readonly string[] = [
  // Allows the old generation to double between two collections.
  '--heap-growing-percent=100',
  // Threads allocate more memory than the main thread.
  `--min-semi-space-size=${semiSpaceMb}`,
];

/**
 * Call this function before the first thread starts. V8 counts the bytes of Buffers as growth of the old generation,
 * and lets a small heap grow by only 8 MB between two collections. Without these flags, the collections cost 1 to 2 ms
 * of processor time per command (test/load/attempts.md).
 */
export function tuneGarbageCollection(): void {
  for (const flag of garbageCollectionFlags) setFlagsFromString(flag);
}
