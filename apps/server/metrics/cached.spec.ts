import { Cached } from './cached';

test('many ask, it is got once; again when it is old; what fails leaves the last value', async () => {
  let now = 0;
  let calls = 0;
  let fails = false;
  const cached = new Cached(
    async () => {
      calls += 1;
      if (fails) throw new Error('down');
      return calls;
    },
    { forMs: 1_000, patienceMs: 5_000, clock: () => now },
  );
  expect(await Promise.all(Array.from({ length: 50 }, () => cached.get()))).toEqual(Array(50).fill(1));
  now = 999;
  expect(await cached.get()).toBe(1);
  now = 1_000;
  expect(await cached.get()).toBe(2);
  now = 2_000;
  fails = true;
  expect(await cached.get()).toBe(2);
  expect(await cached.get()).toBe(2);
  expect(calls).toBe(3);
});

test('nobody waits for what hangs, and it is not begun a second time', async () => {
  let calls = 0;
  let end: (value: string) => void = () => undefined;
  const cached = new Cached(
    () => {
      calls += 1;
      return new Promise<string>((resolve) => (end = resolve));
    },
    { forMs: 0, patienceMs: 20 },
  );
  expect(await cached.get()).toBeUndefined();
  expect(await cached.get()).toBeUndefined();
  expect(calls).toBe(1);
  end('late');
  await new Promise((resolve) => setImmediate(resolve));
  // This call begins a new read, which hangs. So the call returns the value of the earlier read, which ended late.
  expect(await cached.get()).toBe('late');
});
