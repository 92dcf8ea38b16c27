import { setTimeout as delay } from 'node:timers/promises';

/** Returns the result of `work`, or undefined if `work` takes longer than `patienceMs`. Rejects if `work` rejects. */
export async function withTimeout<T>(work: Promise<T>, patienceMs: number): Promise<T | undefined> {
  const given = new AbortController();
  try {
    return await Promise.race([
      work,
      delay(patienceMs, undefined, { signal: given.signal, ref: false }).catch(() => undefined),
    ]);
  } finally {
    given.abort();
  }
}
