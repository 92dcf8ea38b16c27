import { PassThrough } from 'node:stream';
import type { BodyReservation } from './body-reservation';
import { readBody } from './read-body';

const reservation = { take: () => true } as unknown as BodyReservation;

test.each([
  ['bytes', 3_000, 1],
  ['growing pieces', 300, 777],
  ['small and large pieces', 20, 40_000],
])('%s are put together in their order', async (_, count, length) => {
  const pieces = Array.from({ length: count }, (_one, at) => Buffer.alloc(at % 2 === 0 ? length : 1, at));
  const stream = new PassThrough();
  const body = readBody(stream, 10_000_000, reservation);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  expect((await body)?.equals(Buffer.concat(pieces))).toBe(true);
});

test('a body of exactly the limit is read, a longer one is not', async () => {
  for (const [length, expected] of [
    [10, 'x'.repeat(10)],
    [11, undefined],
  ] as const) {
    const stream = new PassThrough();
    const body = readBody(stream, 10, reservation);
    stream.end('x'.repeat(length));
    expect((await body)?.toString()).toBe(expected);
  }
});

test('very many bodies of which little has come take little memory', async () => {
  const streams = Array.from({ length: 1_000 }, () => new PassThrough());
  const before = process.memoryUsage().arrayBuffers;
  const bodies = streams.map((stream) => readBody(stream, 10_000_000, reservation));
  for (const stream of streams) stream.write('a');
  await new Promise((resolve) => setImmediate(resolve));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  for (const stream of streams) stream.end();
  expect((await Promise.all(bodies)).every((body) => body?.toString() === 'a')).toBe(true);
});
