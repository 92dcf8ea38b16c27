import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectorOptions } from './projector-options';

const longestPauseMs = 5_000;

/** Waits longer with each attempt. Ends early when the signal aborts. */
export async function pauseBeforeRetry(
  error: unknown,
  attempt: number,
  signal: AbortSignal,
  onRetry: ProjectorOptions['onRetry'],
): Promise<void> {
  const waitMs = Math.min(longestPauseMs, 50 * 2 ** Math.min(attempt, 10));
  onRetry?.(error, waitMs);
  await delay(waitMs, undefined, { signal }).catch(() => undefined);
}
