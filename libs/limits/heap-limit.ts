/**
 * Returns the limit on the heap (V8's old generation) of a thread that decodes commands, in megabytes. The limit leaves
 * room for many commands of the largest size, but is low enough that V8 collects garbage early.
 */
export const heapLimitMb = (maxCommandBytes: number): number => Math.max(1536, Math.ceil((maxCommandBytes / 1e6) * 24));
