export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * Calls `work` concurrently, once for each number from 0 to `count - 1`, and waits for all calls. An error in one call
 * aborts the signal for the other calls. When all calls have ended, throws the first error.
 */
export async function runTogether(
  signal: AbortSignal,
  count: number,
  work: (number: number, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const errors: unknown[] = [];
  const until = AbortSignal.any([signal, failed.signal]);
  const run = async (number: number): Promise<void> => {
    try {
      await work(number, until);
    } catch (error) {
      errors.push(error);
      failed.abort();
    }
  };
  await Promise.all(Array.from({ length: count }, (_, number) => run(number)));
  if (errors.length > 0) throw errors[0];
}
