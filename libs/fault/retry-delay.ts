export interface RetryDelays {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Returns the milliseconds until the next attempt. This time doubles with each failure. `failures` is 1 after the first
 * failure.
 */
export const retryDelay = (failures: number, { firstMs, longestMs }: RetryDelays): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
