const others = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
const timers = ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const;

/** Runs the work while new intervals never fire. If it succeeds, it does not depend on polling. */
export async function withoutIntervals<T>(work: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ doNotFake: [...others, ...timers] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}
