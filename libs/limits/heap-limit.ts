/**
 * Returns the limit of the old generation of a thread that decodes commands, in megabytes: room for many of the largest
 * commands. A lower limit makes V8 collect earlier, which saves memory.
 */
export const heapLimitMb = (maxCommandBytes: number): number => Math.max(1536, Math.ceil((maxCommandBytes / 1e6) * 24));
