import { setFlagsFromString } from 'node:v8';

/** Megabytes of each half of the young generation of threads that are started later. */
const youngHalfMb = 8;

/** Megabytes of the young generation of such a thread: V8 keeps three halves of it. */
export const youngGenerationMb = 3 * youngHalfMb;

/**
 * Makes V8 collect less often what costs much. Bodies and payloads are Buffers, whose bytes lie outside the heap. V8 counts them
 * only for the old generation, which it lets grow by 8 MB between two collections of a small heap. So each 8 MB of bodies led to a
 * collection of the whole heap: 2 ms of processor time a command. Two settings change that (docs/performance.md, "Memory").
 *
 * The old generation may double between two collections. And the main thread keeps its young generation at the initial
 * size, so that Buffers that are no longer used go with the next small collection, before they count. Threads that are
 * started later begin with a larger one, because they allocate much more. Call this before the first of them starts.
 */
export function tuneGarbageCollection(): void {
  setFlagsFromString('--heap-growing-percent=100');
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--min-semi-space-size=${youngHalfMb}`);
}
