import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { AppendQueue, type Append, type AppendQueueOptions } from './append-queue';
import type { Position } from './record';
import { WaitingRoom } from './waiting-room';

const append = (certname: string, size = 10): Append => ({
  partition: 0,
  record: {
    uuid: '00000000-0000-4000-8000-000000000000',
    command: 'replace facts',
    version: 5,
    certname,
    receivedAt: 0,
    encoding: 'identity',
    payload: Buffer.alloc(size),
  },
});

/** A log that takes each batch when it is told to, and remembers what it took. */
function slowLog(over: Partial<AppendQueueOptions> = {}) {
  const batches: string[][] = [];
  const open: (() => void)[] = [];
  let offset = 0;
  const queue = new AppendQueue({
    store: async (batch) => {
      batches.push(batch.map(({ record }) => record.certname));
      await new Promise<void>((resolve) => open.push(resolve));
      if (batch.some(({ record }) => record.certname === 'poison')) throw new Error('poison');
      return batch.map((): Position => ({ partition: 0, offset: ++offset }));
    },
    failures: {
      isWorthRetry: () => false,
      mayBeOneRecord: (error) => error instanceof Error && error.message === 'poison',
      fault: (error) => (error instanceof Fault ? error : new Fault('broken', 'log.append', String(error))),
    },
    ...over,
  });
  const goOn = async (): Promise<void> => {
    await delay(1);
    open.shift()?.();
    await delay(1);
  };
  return { queue, batches, goOn };
}

describe('AppendQueue', () => {
  it('stores together what comes while it stores', async () => {
    const { queue, batches, goOn } = slowLog();
    const appends = [queue.add(append('a'))];
    await delay(1);
    appends.push(queue.add(append('b')), queue.add(append('c')));
    await goOn();
    await goOn();
    expect(await Promise.all(appends)).toEqual([1, 2, 3].map((offset) => ({ partition: 0, offset })));
    expect(batches).toEqual([['a'], ['b', 'c']]);
  });

  it('finds the one record that cannot be stored', async () => {
    const { queue, goOn } = slowLog();
    const appends = ['a', 'b', 'poison', 'c'].map((certname) => queue.add(append(certname)));
    const settled = Promise.allSettled(appends);
    for (let n = 0; n < 8; n++) await goOn();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });

  it('rejects what takes too long, waiting or under way, and holds its bytes as long as it holds them', async () => {
    const { queue, batches, goOn } = slowLog({ patienceMs: 100, room: new WaitingRoom({ bytes: 50 }) });
    const busy = expect.objectContaining({ kind: 'busy', code: 'log.unavailable' }) as unknown;
    const first = queue.add(append('under way', 40));
    await delay(1);
    const second = queue.add(append('waiting', 10));
    const began = performance.now();
    expect(await Promise.allSettled([first, second])).toEqual([
      { status: 'rejected', reason: busy },
      { status: 'rejected', reason: busy },
    ]);
    expect(performance.now() - began).toBeLessThan(1_000);
    // The batch under way is still held, what only waited is not.
    await expect(queue.add(append('too much', 20))).rejects.toMatchObject({ kind: 'busy', code: 'log.full' });
    const third = queue.add(append('c', 10));
    await goOn();
    await goOn();
    expect(await third).toMatchObject({ partition: 0 });
    await queue.drain();
    expect(batches).toEqual([['under way'], ['c']]);
    const all = queue.add(append('d', 50));
    await goOn();
    expect(await all).toMatchObject({ partition: 0 });
  });

  it('says when nothing waits any more, also where the last batch was given up', async () => {
    let idle = 0;
    const failing = slowLog({
      patienceMs: 100,
      attempts: Infinity,
      pauseAfter: () => 10,
      store: () => Promise.reject(new Error('away')),
      failures: {
        isWorthRetry: () => true,
        mayBeOneRecord: () => false,
        fault: (error) => new Fault('busy', 'log.unavailable', String(error)),
      },
      onIdle: () => (idle += 1),
    }).queue;
    await expect(failing.add(append('a'))).rejects.toMatchObject({ code: 'log.unavailable' });
    await failing.drain();
    expect([idle, failing.isIdle]).toEqual([1, true]);
  });

  it('takes no more than the limit, however small they are', async () => {
    const { queue } = slowLog();
    for (let n = 0; n < 50_000; n++) void queue.add(append('a', 0));
    await expect(queue.add(append('one too many', 0))).rejects.toMatchObject({ kind: 'busy', code: 'log.full' });
  });
});
