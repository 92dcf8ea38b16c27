import { setFlagsFromString } from 'node:v8';

/** Megabytes of a semi-space of the young generation: fixed in later threads, the maximum in the main thread. */
const semiSpaceMb = 8;

/** Megabytes of the young generation of such a thread, as V8 counts them: three semi-spaces. */
export const youngGenerationMb = 3 * semiSpaceMb;

/**
 * Flag of Node.js for all programs (package.json, deploy). It limits the young generation of the main thread, so that
 * frequent collections of it free unused Buffers before their bytes cause a collection of the whole heap, which stops
 * requests for 10 to 30 ms. With a lower limit, large answers take longer. V8 reads it only when a process starts.
 */
export const mainThreadFlag = `--max-semi-space-size=${semiSpaceMb}`;

/** Flags of V8 for the whole process. */
export const garbageCollectionFlags: readonly string[] = [
  // The old generation may double between two collections.
  '--heap-growing-percent=100',
  // Threads start with a larger young generation, because they allocate much more.
  `--min-semi-space-size=${semiSpaceMb}`,
];

/**
 * Makes collections of the whole heap rarer. The bytes of Buffers (bodies and payloads) are outside the heap, and V8
 * counts them for the old generation, which may grow by only 8 MB between two collections of a small heap. So every 8 MB
 * of bodies caused a collection of the whole heap: 1 to 2 ms of processor time a command (test/load/attempts.md). Call
 * this before the first thread starts.
 */
export function tuneGarbageCollection(): void {
  for (const flag of garbageCollectionFlags) setFlagsFromString(flag);
}
