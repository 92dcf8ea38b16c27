/**
 * Returns the size of V8's old generation in megabytes. The heap then has space for many commands of the largest size,
 * but is small enough that V8 collects garbage early.
 */
export const heapLimitMb = (maxCommandBytes: number): number => Math.max(1536, Math.ceil((maxCommandBytes / 1e6) * 24));
