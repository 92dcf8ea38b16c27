import { setTimeout as delay } from 'node:timers/promises';
import { retryDelay } from '#fault';
import type { ProjectorOptions } from './projector-options';

export async function pauseBeforeRetry(
  error: unknown,
  attempt: number,
  signal: AbortSignal,
  onRetry: ProjectorOptions['onRetry'],
): Promise<void> {
  const waitMs = retryDelay(attempt, { firstMs: 100, longestMs: 5_000 });
  onRetry?.(error, waitMs);
  await delay(waitMs, undefined, { signal }).catch(() => undefined);
}
