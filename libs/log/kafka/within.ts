/** The promise's outcome, or after `ms` a rejection with what `late` makes; the promise itself goes on unwatched. */
export async function within<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  promise.catch(() => undefined);
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(late()), Math.max(0, ms));
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
