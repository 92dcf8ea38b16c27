import { PassThrough } from 'node:stream';
import { timedChunks } from './timed-chunks';

it('ends an import whose client sends too little in the time', async () => {
  const stream = new PassThrough();
  const chunks = timedChunks(stream, { ms: 50, bytes: 100 });
  stream.write('x'.repeat(10));
  expect((await chunks.next()).value).toHaveLength(10);
  await expect(chunks.next()).rejects.toMatchObject({ kind: 'timed-out', code: 'import.stalled' });
  // An answer can still be sent.
  expect(stream.destroyed).toBe(false);
});

it('does not count the time that the reader takes', async () => {
  const stream = new PassThrough();
  const chunks = timedChunks(stream, { ms: 50, bytes: 100 });
  stream.write('x');
  await chunks.next();
  await new Promise((resolve) => setTimeout(resolve, 80));
  stream.write('x');
  expect((await chunks.next()).value).toHaveLength(1);
});

it('adds up the waits of a client that sends a little at a time', async () => {
  const stream = new PassThrough();
  const drip = setInterval(() => stream.write('x'), 20);
  const end = setTimeout(() => stream.end(), 1_000);
  try {
    const all = async (): Promise<void> => {
      for await (const chunk of timedChunks(stream, { ms: 100, bytes: 100 })) expect(chunk.length).toBeGreaterThan(0);
    };
    await expect(all()).rejects.toMatchObject({ code: 'import.stalled' });
  } finally {
    clearInterval(drip);
    clearTimeout(end);
  }
});

it('lets an import take longer if enough bytes arrive in each period', async () => {
  const stream = new PassThrough();
  const pace = { ms: 1_000, bytes: 100 };
  const drip = setInterval(() => stream.write('x'.repeat(100)), 400);
  try {
    let received = 0;
    for await (const chunk of timedChunks(stream, pace)) {
      received += chunk.length;
      if (received >= 500) break;
    }
    expect(received).toBeGreaterThanOrEqual(500);
  } finally {
    clearInterval(drip);
  }
});
