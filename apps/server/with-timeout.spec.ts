import { withTimeout } from './with-timeout';

describe('withTimeout', () => {
  it('gives what comes in time, and rejects as the work does', async () => {
    expect(await withTimeout(Promise.resolve(7), 10_000)).toBe(7);
    await expect(withTimeout(Promise.reject(new Error('no')), 10_000)).rejects.toThrow('no');
  });

  it('waits no longer for what does not come', async () => {
    expect(await withTimeout(new Promise(() => undefined), 20)).toBeUndefined();
  });
});
