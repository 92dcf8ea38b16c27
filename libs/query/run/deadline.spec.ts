import { Deadline } from './deadline';

test('can be shortened, never lengthened, and not by more than a timer can count', () => {
  const deadline = new Deadline(1_000);
  expect([undefined, 2_000, 2 ** 31, 500].map((ms) => deadline.shortened(ms).timeoutMs)).toEqual([
    1_000, 1_000, 1_000, 500,
  ]);
});

test('aborts its work when the time is over, and says so', async () => {
  const work = new Deadline(50).during([], async (signal) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    throw new Error('ended');
  });
  await expect(work).rejects.toMatchObject({ code: 'query.timeout', details: { status: 500 } });
});

test('a client that left is told apart', async () => {
  const leaving = new AbortController();
  leaving.abort(new Error('closed'));
  const work = new Deadline(5_000).during([leaving.signal], async (signal) => signal.throwIfAborted());
  await expect(work).rejects.toMatchObject({ code: 'query.gone' });
});

test('what remains is counted from the arrival of the request, and never below nothing', () => {
  const now = performance.now();
  const arrived = new Deadline(60_000, now - 20_000);
  expect(arrived.remainingMs()).toBeLessThanOrEqual(40_000);
  expect(arrived.remainingMs()).toBeGreaterThan(30_000);
  expect(arrived.shortened(25_000).remainingMs()).toBeLessThanOrEqual(5_000);
  expect(new Deadline(60_000, now - 90_000).remainingMs()).toBe(0);
});
