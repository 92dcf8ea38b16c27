import { Permits, type QueryClient } from './permits';

const asker = (address: string, over: Partial<QueryClient> = {}): QueryClient => ({
  address,
  gone: new AbortController().signal,
  reader: { taken: () => 0, waiting: () => false },
  waitMs: 5_000,
  ...over,
});

test('a permit that is left goes to who waits', async () => {
  const permits = new Permits({ total: 1, perAddress: 1, active: 1 });
  const first = await permits.take(asker('a'));
  const next = permits.take(asker('b'));
  expect(permits.use).toEqual({ running: 1, waiting: 1, total: 1 });
  first.leave();
  (await next).leave();
  expect(permits.use).toEqual({ running: 0, waiting: 0, total: 1 });
  permits.close();
});

test('who waited for too long is told which setting counts, and when to come back', async () => {
  const permits = new Permits({ total: 2, perAddress: 1, active: 2 });
  await permits.take(asker('a'));
  await permits.take(asker('b'));
  const busy = { kind: 'busy', code: 'query.crowded', details: { retryAfterSeconds: 5 } };
  await Promise.all([
    expect(permits.take(asker('a', { waitMs: 100 }))).rejects.toMatchObject({
      ...busy,
      message: expect.stringContaining('NODELEDGER_MAX_QUERIES_PER_CLIENT') as string,
    }),
    expect(permits.take(asker('c', { waitMs: 100 }))).rejects.toMatchObject({
      ...busy,
      message: expect.stringContaining('(NODELEDGER_MAX_QUERIES)') as string,
    }),
  ]);
  permits.close();
});

test('a client that leaves does so from the queue too, at once', async () => {
  const permits = new Permits({ total: 1, perAddress: 1, active: 1 });
  const first = await permits.take(asker('a'));
  const leaving = new AbortController();
  const left = permits.take(asker('b', { gone: leaving.signal }));
  const next = permits.take(asker('c'));
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'query.gone' });
  first.leave();
  (await next).leave();
  await expect(permits.take(asker('b', { gone: leaving.signal }))).rejects.toMatchObject({ code: 'query.gone' });
  permits.close();
});

test('a stalled reader is told by its signal when somebody waits', async () => {
  const permits = new Permits({ total: 1, perAddress: 1, active: 1 });
  const stalled = await permits.take(asker('a', { reader: { taken: () => 0, waiting: () => true } }));
  const next = permits.take(asker('b'));
  await new Promise((resolve) => stalled.lost.addEventListener('abort', resolve, { once: true }));
  expect(stalled.lost.reason).toMatchObject({ code: 'query.stalled' });
  stalled.leave();
  (await next).leave();
  permits.close();
});

test('when the service stops, those who wait are refused and those who run go on', async () => {
  const permits = new Permits({ total: 1, perAddress: 1, active: 1 });
  const running = await permits.take(asker('a'));
  const waiting = permits.take(asker('b'));
  permits.close();
  await expect(waiting).rejects.toMatchObject({ kind: 'busy', code: 'query.stopping' });
  await expect(permits.take(asker('c'))).rejects.toMatchObject({ code: 'query.stopping' });
  expect(running.lost.aborted).toBe(false);
  running.leave();
});
