import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '#fault';
import { AppendQueue, type Append, type AppendQueueOptions } from './append-queue';
import type { Position } from './record';
import { QueueBudget } from './queue-budget';

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

/** Simulates a log that stores each batch when the test tells it to, and records the batches. */
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
    const { queue, batches, goOn } = slowLog({ patienceMs: 100, budget: new QueueBudget({ bytes: 50 }) });
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
    // The batch that is being stored still counts towards the limit. The waiting appends no longer count.
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

  it('holds what nobody waits for any more no longer than its attempt', async () => {
    let away = true;
    const { queue } = quickLog(() => (away ? new Error('later') : undefined), {
      ...{ patienceMs: 50, attempts: Infinity, pauseAfter: () => 10, budget: new QueueBudget({ bytes: 50 }) },
    });
    expect(await addAll(queue, ['a', 'b'], 25)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    await queue.drain();
    away = false;
    expect(await addAll(queue, ['c', 'd'], 25)).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  });

  it('takes no more than the limit, however small they are', async () => {
    const { queue } = slowLog();
    for (let n = 0; n < 50_000; n++) void queue.add(append('a', 0));
    await expect(queue.add(append('one too many', 0))).rejects.toMatchObject({ kind: 'busy', code: 'log.full' });
  });

  /** Simulates a log that stores at once. `fails` defines the outcome of each attempt to store a batch. */
  function quickLog(
    fails: (batch: readonly string[], attempt: number) => Error | undefined,
    over: Partial<AppendQueueOptions> = {},
  ) {
    const batches: string[][] = [];
    const attempts: unknown[] = [];
    let offset = 0;
    const queue = new AppendQueue({
      store: (batch) => {
        const names = batch.map(({ record }) => record.certname);
        batches.push(names);
        const failure = fails(names, batches.length);
        if (failure !== undefined) return Promise.reject(failure);
        return Promise.resolve(batch.map(({ partition }): Position => ({ partition, offset: ++offset })));
      },
      failures: {
        isWorthRetry: (error) => (error as Error).message === 'later',
        mayBeOneRecord: (error) => (error as Error).message === 'poison',
        fault: (error) => new Fault('broken', 'log.append', (error as Error).message),
      },
      onAttempt: (failure) => attempts.push(failure),
      ...over,
    });
    return { queue, batches, attempts };
  }
  const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `n${n}`);
  const addAll = (queue: AppendQueue, all: readonly string[], bytes = 10): Promise<PromiseSettledResult<Position>[]> =>
    Promise.allSettled(all.map((name) => queue.add(append(name, bytes))));

  it('stores at most a thousand records at once', async () => {
    const { queue, batches } = quickLog(() => undefined);
    const outcomes = await addAll(queue, names(2_001));
    expect(batches.map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
    expect(outcomes.map((one) => one.status === 'fulfilled' && one.value.offset)).toEqual(
      names(2_001).map((_, index) => index + 1),
    );
  });

  it('fills a batch to the last byte, and stores a larger record by itself', async () => {
    const { queue, batches } = quickLog(() => undefined, { batchBytes: 30 });
    await addAll(queue, names(4));
    expect(batches).toEqual([['n0', 'n1', 'n2'], ['n3']]);
    await Promise.all([queue.add(append('large', 31)), queue.add(append('small', 1))]);
    expect(batches.slice(2)).toEqual([['large'], ['small']]);
  });

  describe('a large append', () => {
    const opened = (): ReturnType<typeof slowLog> => slowLog({ largeBytes: 100 });
    const at = (partition: number, certname: string, size?: number): Append => ({
      ...append(certname, size),
      partition,
    });

    it('is stored beside the batches of other partitions, which do not wait for it', async () => {
      const { queue, batches, goOn } = opened();
      const all = [queue.add(at(1, 'large', 100)), queue.add(at(2, 'a', 99)), queue.add(at(3, 'b'))];
      await delay(1);
      expect(batches).toEqual([['a', 'b'], ['large']].reverse());
      await goOn();
      await goOn();
      await Promise.all(all);
      await queue.drain();
    });

    it('has its partition to itself: what goes there waits, the rest does not', async () => {
      const { queue, batches, goOn } = opened();
      const all = [queue.add(at(1, 'large', 100))];
      await delay(1);
      all.push(queue.add(at(1, 'waits')), queue.add(at(2, 'goes on')));
      await delay(1);
      expect(batches).toEqual([['large'], ['goes on']]);
      // The first result belongs to the large append.
      await goOn();
      expect(batches).toEqual([['large'], ['goes on']]);
      await goOn();
      expect(batches).toEqual([['large'], ['goes on'], ['waits']]);
      await goOn();
      await Promise.all(all);
      await queue.drain();
    });

    it('keeps its place in its partition, and large ones are stored one by one', async () => {
      const { queue, batches, goOn } = opened();
      const all = [queue.add(at(1, 'a'))];
      await delay(1);
      all.push(queue.add(at(1, 'large 1', 100)), queue.add(at(2, 'large 2', 100)), queue.add(at(3, 'large 3', 100)));
      all.push(queue.add(at(1, 'behind 1')), queue.add(at(4, 'b')));
      await delay(1);
      expect(batches).toEqual([['a'], ['large 2']]);
      for (let n = 0; n < 6; n++) await goOn();
      await Promise.all(all);
      expect(batches.slice(2)).toEqual([['b'], ['large 1'], ['behind 1'], ['large 3']]);
      await queue.drain();
    });

    it('that is given up while it waits no longer holds its partition', async () => {
      jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
      try {
        const batches: string[][] = [];
        const letGo: (() => void)[] = [];
        const { queue } = quickLog(() => undefined, {
          ...{ largeBytes: 100, patienceMs: 300 },
          store: async (batch) => {
            batches.push(batch.map(({ record }) => record.certname));
            await new Promise<void>((resolve) => letGo.push(resolve));
            return batch.map(({ partition }): Position => ({ partition, offset: 1 }));
          },
        });
        const outcomes: string[] = [];
        const add = (one: Append): Promise<unknown> =>
          queue.add(one).then(
            () => outcomes.push(`${one.record.certname} is stored`),
            () => outcomes.push(`${one.record.certname} is given up`),
          );
        const all = [add(at(1, 'large 1', 100)), add(at(2, 'large 2', 100))];
        await jest.advanceTimersByTimeAsync(260);
        all.push(add(at(2, 'behind it')));
        await jest.advanceTimersByTimeAsync(1);
        expect(batches).toEqual([['large 1']]);
        // The sweep at 500 ms finds that the first two appends are late.
        await jest.advanceTimersByTimeAsync(250);
        expect(batches).toEqual([['large 1'], ['behind it']]);
        expect(outcomes).toEqual(['large 1 is given up', 'large 2 is given up']);
        letGo.forEach((go) => go());
        await Promise.all(all);
        expect(outcomes.at(-1)).toBe('behind it is stored');
        await queue.drain();
      } finally {
        jest.useRealTimers();
      }
    });
  });

  describe('an append that has to be prepared', () => {
    /**
     * Makes a queue in which the preparation of appends named `unready …` lasts until the test calls `ready` or
     * `failed`.
     */
    const preparing = (over: Partial<AppendQueueOptions> = {}) => {
      const open = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
      const log = quickLog(() => undefined, {
        prepare: ({ record: { certname } }) =>
          certname.startsWith('unready')
            ? new Promise<void>((resolve, reject) => open.set(certname, { resolve, reject }))
            : undefined,
        ...over,
      });
      return {
        ...log,
        prepared: () => [...open.keys()],
        ready: async (name: string): Promise<void> => {
          open.get(name)?.resolve();
          await delay(1);
        },
        failed: async (name: string): Promise<void> => {
          open.get(name)?.reject(new Error('no memory'));
          await delay(1);
        },
      };
    };
    const at = (partition: number, certname: string, size?: number): Append => ({
      ...append(certname, size),
      partition,
    });

    it('delays what comes later in its partition, and nothing else', async () => {
      const { queue, batches, ready } = preparing();
      const all = [at(1, 'a'), at(1, 'unready'), at(1, 'b'), at(2, 'c')].map((one) => queue.add(one));
      await delay(1);
      expect(batches).toEqual([['a', 'c']]);
      await ready('unready');
      expect(batches).toEqual([
        ['a', 'c'],
        ['unready', 'b'],
      ]);
      expect((await Promise.all(all)).map(({ offset }) => offset)).toEqual([1, 3, 4, 2]);
      await queue.drain();
    });

    it('keeps its place, also before one that is ready earlier, and where it is large', async () => {
      const { queue, batches, ready } = preparing({ largeBytes: 100 });
      const all = [at(1, 'unready 1', 100), at(1, 'unready 2'), at(2, 'unready 3')].map((one) => queue.add(one));
      await ready('unready 2');
      expect(batches).toEqual([]);
      await ready('unready 3');
      expect(batches).toEqual([['unready 3']]);
      await ready('unready 1');
      expect(batches).toEqual([['unready 3'], ['unready 1'], ['unready 2']]);
      await Promise.all(all);
      await queue.drain();
    });

    it('is rejected alone where that fails, and gives back what it held', async () => {
      const budget = new QueueBudget({ bytes: 20 });
      const { queue, batches, failed } = preparing({ budget });
      const outcomes = Promise.allSettled([queue.add(at(1, 'unready')), queue.add(at(1, 'behind it'))]);
      await failed('unready');
      expect(await outcomes).toMatchObject([
        { status: 'rejected', reason: { code: 'log.append', message: 'no memory' } },
        { status: 'fulfilled' },
      ]);
      expect(batches).toEqual([['behind it']]);
      await queue.drain();
      const last = expect(queue.add(at(1, 'unready', 20))).rejects.toMatchObject({ code: 'log.append' });
      await failed('unready');
      await last;
      await queue.drain();
      expect(await queue.add(at(1, 'a', 20))).toMatchObject({ partition: 1 });
    });

    it('is not prepared where there is no room for it', async () => {
      const { queue, prepared, ready } = preparing({ budget: new QueueBudget({ bytes: 20 }) });
      const first = queue.add(at(1, 'unready 1', 15));
      await expect(queue.add(at(1, 'unready 2', 15))).rejects.toMatchObject({ code: 'log.full' });
      expect(prepared()).toEqual(['unready 1']);
      await ready('unready 1');
      await first;
    });

    it('is given up where it takes too long, and stored no more', async () => {
      const { queue, batches, ready } = preparing({ patienceMs: 50 });
      await expect(queue.add(at(1, 'unready'))).rejects.toMatchObject({ code: 'log.unavailable' });
      await queue.drain();
      await ready('unready');
      expect([batches, queue.isIdle]).toEqual([[], true]);
      expect(await queue.add(at(1, 'a'))).toMatchObject({ partition: 1 });
    });

    it.each(['ready', 'failed'] as const)('that is given up holds its bytes until it is %s', async (end) => {
      const { queue, [end]: over } = preparing({ patienceMs: 50, budget: new QueueBudget({ bytes: 20 }) });
      await expect(queue.add(at(1, 'unready', 20))).rejects.toMatchObject({ code: 'log.unavailable' });
      await queue.drain();
      await expect(queue.add(at(1, 'a', 1))).rejects.toMatchObject({ code: 'log.full' });
      await over('unready');
      expect(await queue.add(at(1, 'a', 20))).toMatchObject({ partition: 1 });
    });
  });

  it('counts the size that an append is given, and not that of its payload', async () => {
    const { queue, batches } = quickLog(() => undefined, { batchBytes: 30 });
    await Promise.all(names(3).map((name) => queue.add({ ...append(name, 1), size: 20 })));
    expect(batches).toEqual([['n0'], ['n1'], ['n2']]);
  });

  it('tries a batch again as often as it may, and tells of each failure and of the success', async () => {
    const later = new Error('later');
    const failing = quickLog(() => later, { attempts: 3 });
    expect(await addAll(failing.queue, ['a'])).toMatchObject([{ status: 'rejected', reason: { message: 'later' } }]);
    expect(failing.batches).toHaveLength(3);
    expect(failing.attempts).toEqual([later, later]);
    const mending = quickLog((_, attempt) => (attempt < 2 ? later : undefined));
    expect(await addAll(mending.queue, ['a', 'b'])).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
    expect(mending.batches).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(mending.attempts).toEqual([later, undefined]);
  });

  it('tries twice where nothing is said, and not again what another attempt cannot mend', async () => {
    const later = quickLog(() => new Error('later'));
    await addAll(later.queue, ['a']);
    expect(later.batches).toHaveLength(2);
    const never = quickLog(() => new Error('never'));
    expect(await addAll(never.queue, ['a', 'b'])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    expect(never.batches).toEqual([['a', 'b']]);
  });

  it('waits between attempts as long as it is told', async () => {
    const pauses: number[] = [];
    const { queue } = quickLog((_, attempt) => (attempt < 4 ? new Error('later') : undefined), {
      attempts: Infinity,
      pauseAfter: (failures) => pauses.push(failures),
    });
    await addAll(queue, ['a']);
    expect(pauses).toEqual([1, 2, 3]);
  });

  it.each([0, 1, 2, 3, 4])('rejects only the record that cannot be stored, at place %d of five', async (bad) => {
    const all = names(5).map((name, index) => (index === bad ? 'bad' : name));
    const { queue, batches } = quickLog((batch) => (batch.includes('bad') ? new Error('poison') : undefined));
    const outcomes = await addAll(queue, all);
    expect(outcomes.map(({ status }) => status)).toEqual(
      all.map((name) => (name === 'bad' ? 'rejected' : 'fulfilled')),
    );
    // Every second append is stored once, in order.
    const stored = batches.filter((batch) => !batch.includes('bad')).flat();
    expect(stored).toEqual(all.filter((name) => name !== 'bad'));
  });

  it('rejects what its log did not take', async () => {
    const { queue } = quickLog(() => undefined, {
      store: (batch) =>
        Promise.resolve(batch.map((_, index) => (index === 0 ? undefined : { partition: 0, offset: 7 }))),
    });
    expect(await addAll(queue, ['a', 'b'])).toMatchObject([
      { status: 'rejected', reason: { kind: 'broken', code: 'log.foreign' } },
      { status: 'fulfilled', value: { partition: 0, offset: 7 } },
    ]);
  });

  it('gives back all the room that it has taken, whatever became of the appends', async () => {
    const budget = new QueueBudget({ bytes: 50 });
    const { queue } = quickLog((batch) => (batch.includes('n3') ? new Error('poison') : undefined), { budget });
    for (let round = 0; round < 3; round++) {
      expect((await addAll(queue, names(6))).map(({ status }) => status)).toEqual([
        ...['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
      ]);
      await queue.drain();
    }
  });

  it('leaves no timer behind when nothing waits any more', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask'] });
    try {
      const { queue } = quickLog(() => undefined, { patienceMs: 10_000 });
      await queue.add(append('a'));
      await queue.drain();
      expect(jest.getTimerCount()).toBe(0);
      await queue.add(append('b'));
      await queue.drain();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('gives up what waits too long, and nothing that came later', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      const stored: string[] = [];
      const letGo: (() => void)[] = [];
      const { queue } = quickLog(() => undefined, {
        patienceMs: 200,
        store: async (batch) => {
          stored.push(...batch.map(({ record }) => record.certname));
          await new Promise<void>((resolve) => letGo.push(resolve));
          return batch.map(({ partition }): Position => ({ partition, offset: stored.length }));
        },
      });
      const outcomes: string[] = [];
      const add = (name: string): Promise<unknown> =>
        queue.add(append(name)).then(
          () => outcomes.push(`${name} is stored`),
          () => outcomes.push(`${name} is given up`),
        );
      const all = [add('first')];
      await jest.advanceTimersByTimeAsync(10);
      all.push(add('second'));
      await jest.advanceTimersByTimeAsync(200);
      all.push(add('third'));
      // The sweep at 250 ms finds that two of them have timed out.
      await jest.advanceTimersByTimeAsync(50);
      expect(outcomes).toEqual(['first is given up', 'second is given up']);
      letGo[0]?.();
      await jest.advanceTimersByTimeAsync(1);
      letGo[1]?.();
      await Promise.all(all);
      expect(outcomes).toEqual(['first is given up', 'second is given up', 'third is stored']);
      expect(stored).toEqual(['first', 'third']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('tells what failed where the time is over, and that nothing failed where nothing did', async () => {
    const failing = quickLog(() => new Error('later'), { patienceMs: 50, attempts: Infinity, pauseAfter: () => 5 });
    await expect(failing.queue.add(append('a'))).rejects.toMatchObject({
      kind: 'busy',
      code: 'log.unavailable',
      message: 'not acknowledged within 0.05 s: later',
    });
    await failing.queue.drain();
    const { queue, goOn } = slowLog({ patienceMs: 50, name: 'this log' });
    await expect(queue.add(append('a'))).rejects.toThrow('this log has not acknowledged the command within 0.05 s');
    await goOn();
    await queue.drain();
  });
});
