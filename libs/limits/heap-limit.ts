/**
 * Returns the limit for the old generation of a thread that decodes commands, in megabytes. The limit leaves room for
 * many of the largest commands, but is low enough that V8 collects garbage early.
 */
export const heapLimitMb = (maxCommandBytes: number): number => Math.max(1536, Math.ceil((maxCommandBytes / 1e6) * 24));
