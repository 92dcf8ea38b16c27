const others = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
const timers = ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const;

/** Does the work while no new interval ever comes round: what happens all the same needs no polling. */
export async function withoutIntervals<T>(work: () => Promise<T>): Promise<T> {
  jest.useFakeTimers({ doNotFake: [...others, ...timers] });
  try {
    return await work();
  } finally {
    jest.useRealTimers();
  }
}
