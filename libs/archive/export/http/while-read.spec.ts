import { setTimeout as delay } from 'node:timers/promises';
import { whileRead } from './while-read';

async function* three(): AsyncGenerator<number> {
  yield* [1, 2, 3];
}

it('passes pieces on, and says nothing of a reader that reads', async () => {
  const stalled = jest.fn();
  const read: number[] = [];
  for await (const piece of whileRead(three(), stalled, 5)) read.push(piece);
  await delay(20);
  expect(read).toEqual([1, 2, 3]);
  expect(stalled).not.toHaveBeenCalled();
});

it('tells of a reader that does not ask for the next piece', async () => {
  let left = false;
  const source = async function* (): AsyncGenerator<number> {
    try {
      yield* three();
    } finally {
      left = true;
    }
  };
  const pieces = whileRead(source(), () => void pieces.return(), 5);
  await pieces.next();
  await delay(50);
  expect(left).toBe(true);
});
