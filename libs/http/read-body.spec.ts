import { PassThrough } from 'node:stream';
import { Fault } from '#fault';
import { BodyBudget } from './body-budget';
import { BodyMemory } from './body-memory';
import { readBody } from './read-body';

const memory = { take: () => true, release: () => undefined };

test.each([
  ['bytes', 3_000, 1],
  ['growing pieces', 300, 777],
  ['small and large pieces', 20, 40_000],
])('%s are put together in their order', async (_, count, length) => {
  const pieces = Array.from({ length: count }, (_one, at) => Buffer.alloc(at % 2 === 0 ? length : 1, at));
  const stream = new PassThrough();
  const body = readBody(stream, { most: 10_000_000, memory });
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
    const body = readBody(stream, { most: 10, memory });
    stream.end('x'.repeat(length));
    expect((await body)?.toString()).toBe(expected);
  }
});

test('releases the memory of a body that is too long, broken, or finds no room', async () => {
  const budget = new BodyBudget(200);
  const broken = (cause: unknown): Fault => new Fault('malformed', 'http.body', 'broken', { cause });
  const read = async (work: (stream: PassThrough) => unknown): Promise<unknown> => {
    const stream = new PassThrough();
    const body = readBody(stream, { most: 150, memory: new BodyMemory(budget, 'a'), broken });
    stream.write('x'.repeat(50));
    await new Promise(setImmediate);
    expect(budget.heldBytes).toBe(50);
    work(stream);
    return body.catch((error: Fault) => error.code).finally(() => expect(budget.heldBytes).toBe(0));
  };
  expect(await read((stream) => stream.write('x'.repeat(101)))).toBeUndefined();
  expect(await read((stream) => stream.write('x'.repeat(60)))).toBe('http.crowded');
  expect(await read((stream) => stream.emit('error', new Error('no gzip')))).toBe('http.body');
  expect(await read((stream) => stream.destroy())).toBe('http.client-left');
});

test('very many bodies of which little has come take little memory', async () => {
  const streams = Array.from({ length: 1_000 }, () => new PassThrough());
  const before = process.memoryUsage().arrayBuffers;
  const bodies = streams.map((stream) => readBody(stream, { most: 10_000_000, memory }));
  for (const stream of streams) stream.write('a');
  await new Promise((resolve) => setImmediate(resolve));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5_000_000);
  for (const stream of streams) stream.end();
  expect((await Promise.all(bodies)).every((body) => body?.toString() === 'a')).toBe(true);
});
