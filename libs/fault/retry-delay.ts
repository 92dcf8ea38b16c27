export interface RetryDelays {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Returns the delay before the next attempt, in milliseconds. The delay doubles with each failure. `failures` is 1
 * after the first failure.
 */
export const retryDelay = (failures: number, { firstMs, longestMs }: RetryDelays): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
