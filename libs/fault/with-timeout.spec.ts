import { createHook } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { withTimeout } from './with-timeout';

describe('withTimeout', () => {
  it('gives what comes in time, and rejects as the work does', async () => {
    expect(await withTimeout(Promise.resolve(7), 10_000)).toBe(7);
    await expect(withTimeout(Promise.reject(new Error('no')), 10_000)).rejects.toThrow('no');
  });

  it('waits no longer for what does not come', async () => {
    expect(await withTimeout(new Promise(() => undefined), 20)).toBeUndefined();
  });

  it('leaves no timer behind if the work ends in time', async () => {
    const timers = new Set<number>();
    const hook = createHook({
      init: (id, type) => void (type === 'Timeout' && timers.add(id)),
      destroy: (id) => void timers.delete(id),
    }).enable();
    await withTimeout(nextTurn(), 10_000);
    await nextTurn();
    hook.disable();
    expect(timers).toEqual(new Set());
  });
});
