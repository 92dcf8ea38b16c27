import { setFlagsFromString } from 'node:v8';

/**
 * Size of a semi-space of V8's young generation, in megabytes. It is the initial size in threads, and the maximum in
 * the main thread.
 */
const semiSpaceMb = 8;

/** Size of the young generation of a thread, in megabytes. V8 reserves three semi-spaces for it. */
export const youngGenerationMb = 3 * semiSpaceMb;

/**
 * Flag of Node.js with which every program must be started (package.json, deploy), because V8 reads the flag only when
 * a process starts. The flag limits the young generation of the main thread. A small young generation is collected
 * often, and each collection frees unused Buffers. Otherwise the bytes of these Buffers would cause a collection of the
 * whole heap, which stops requests for 10 to 30 ms. A limit below 8 MB makes large answers slower.
 */
export const mainThreadFlag = `--max-semi-space-size=${semiSpaceMb}`;

export const garbageCollectionFlags: readonly string[] = [
  // Allows the old generation to double between two collections.
  '--heap-growing-percent=100',
  // Threads get a larger initial young generation, because they allocate more memory than the main thread.
  `--min-semi-space-size=${semiSpaceMb}`,
];

/**
 * Reduces the number of collections of the whole heap. V8 counts the bytes of Buffers (bodies and payloads) as growth
 * of the old generation, and lets a small heap grow by only 8 MB between two collections. Without these flags, every 8
 * MB of bodies cause a collection, which costs 1 to 2 ms of processor time per command (test/load/attempts.md). Call
 * this function before the first thread starts.
 */
export function tuneGarbageCollection(): void {
  for (const flag of garbageCollectionFlags) setFlagsFromString(flag);
}
