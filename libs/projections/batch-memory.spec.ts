import { setImmediate as immediate } from 'node:timers/promises';
import { BatchMemory } from './batch-memory';

/** Returns whether the promise has resolved. */
async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await immediate();
  return done;
}

test('usual batches have room beside each other', async () => {
  const memory = new BatchMemory(2, 100);
  const [one, two] = [memory.share(), memory.share()];
  await one.takeFirst(60);
  await two.takeFirst(100);
  expect([one.free, two.free]).toEqual([40, 0]);
  expect([one.take(41), one.take(40), one.take(1), two.take(1), two.take(0)]).toEqual([
    false,
    true,
    false,
    false,
    true,
  ]);
  one.release();
  expect(one.free).toBe(100);
});

test('a payload that is larger than a batch waits until it is alone, and others wait for it', async () => {
  const memory = new BatchMemory(2, 100);
  const [one, two] = [memory.share(), memory.share()];
  await one.takeFirst(60);
  const large = two.takeFirst(500);
  expect(await isDone(large)).toBe(false);
  expect(one.take(40)).toBe(true);
  one.release();
  expect(await isDone(large)).toBe(true);
  expect(two.free).toBe(0);
  const small = one.takeFirst(1);
  expect(await isDone(small)).toBe(false);
  two.release();
  expect(await isDone(small)).toBe(true);
});

test('while a batch is heavy, others decode nothing', async () => {
  const memory = new BatchMemory(2, 100, 10);
  const [one, two] = [memory.share(), memory.share()];
  expect([one.weigh(9), one.weigh(1)]).toEqual([true, false]);
  await one.beforeDecoding();
  const second = two.beforeDecoding();
  expect(await isDone(second)).toBe(false);
  one.release();
  expect(await isDone(second)).toBe(true);
  expect([one.weigh(9), two.weigh(20)]).toEqual([true, false]);
  expect(await isDone(one.beforeDecoding())).toBe(false);
  two.release();
  await one.beforeDecoding();
});

test('the end of another batch does not let others decode beside a heavy one', async () => {
  const memory = new BatchMemory(3, 100, 10);
  const [heavy, light, third] = [memory.share(), memory.share(), memory.share()];
  heavy.weigh(10);
  const waiting = third.beforeDecoding();
  light.release();
  expect(await isDone(waiting)).toBe(false);
  heavy.release();
  expect(await isDone(waiting)).toBe(true);
});
