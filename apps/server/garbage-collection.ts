import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Megabytes of a semi-space of the young generation: the most in the main thread, and always in threads that are started later. */
const semiSpaceMb = 8;

/** Megabytes of the young generation of such a thread, as V8 counts them: three semi-spaces. */
export const youngGenerationMb = 3 * semiSpaceMb;

/** Megabytes of the two semi-spaces of the main thread, unless V8 has let them double before a check. */
export const mainYoungMb = 2 * semiSpaceMb;

/** A thread may start at any time. */
const checkMs = 250;

/** A flag of V8 for the whole process; only the main thread's semi-space grows. The start of a thread sets it back to 2. */
const growthFlag = '--semi-space-growth-factor';

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
 * collection of the whole heap: 1 to 2 ms of processor time a command (docs/performance.md). Call this before the first thread starts.
 */
export function tuneGarbageCollection(): void {
  for (const flag of garbageCollectionFlags) setFlagsFromString(flag);
}

/**
 * Keeps the young generation of the calling thread, the main one, near 16 MB. Then collections of it are frequent enough to free
 * Buffers that are no longer used before their bytes lead to a collection of the whole heap, which stops requests for 10 to 30 ms.
 * With a smaller one, large answers take longer.
 *
 * V8 has no flag that limits it in a process that runs. It may double in one long turn of the event loop, or just after a thread has
 * started, and shrinks again when the process is idle. `node --max-semi-space-size=8` sets a hard limit; the image and the systemd
 * unit start the service with it.
 */
export function limitYoungGeneration(): void {
  const check = (): void => {
    const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
    const mayGrow = young !== undefined && young.space_size < mainYoungMb * 2 ** 20;
    setFlagsFromString(`${growthFlag}=${mayGrow ? 2 : 1}`);
  };
  check();
  // It doubles at the end of a collection.
  new PerformanceObserver(check).observe({ entryTypes: ['gc'] });
  setInterval(check, checkMs).unref();
}
