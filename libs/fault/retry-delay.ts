export interface RetryDelays {
  /** Milliseconds before the first retry. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Returns the milliseconds to wait before the next attempt. Doubles with each failure; `failures` counts from 1. */
export const retryDelay = (failures: number, { firstMs, longestMs }: RetryDelays): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
