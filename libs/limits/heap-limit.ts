/**
 * The most megabytes of the old generation of a thread that decodes commands: room for the largest one many times over. A
 * bounded heap is also collected earlier, which takes less memory for a little more work.
 */
export const heapLimitMb = (maxCommandBytes: number): number => Math.max(1536, Math.ceil((maxCommandBytes / 1e6) * 24));
