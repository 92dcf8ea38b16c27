import { gzipSync } from 'node:zlib';
import { inflate } from './inflate';

const text = Buffer.from('{"certname":"oak.wood.test"}'.repeat(100));

describe('inflate', () => {
  it('gives plain payloads as they are', async () => {
    expect(await inflate(text, 'identity', text.length)).toBe(text);
  });

  it('inflates compressed ones', async () => {
    expect(await inflate(gzipSync(text), 'gzip', text.length)).toEqual(text);
  });

  it('inflates what is larger than its trailer says, in one piece', async () => {
    // The payload has two gzip members. The size at its end is that of the last member.
    const lying = Buffer.concat([gzipSync(Buffer.alloc(400_000, 'a')), gzipSync('b')]);
    const inflated = await inflate(lying, 'gzip', 1_000_000);
    expect(inflated).toHaveLength(400_001);
    expect(inflated.at(-1)).toBe('b'.charCodeAt(0));
    await expect(inflate(lying, 'gzip', 400_000)).rejects.toMatchObject({ code: 'wire.too-large' });
    await expect(inflate(lying, 'gzip', 100_000)).rejects.toMatchObject({ code: 'wire.too-large' });
  });

  it('stops at the limit', async () => {
    const fault = { kind: 'too-large', code: 'wire.too-large' };
    await expect(inflate(text, 'identity', text.length - 1)).rejects.toMatchObject(fault);
    await expect(inflate(gzipSync(text), 'gzip', text.length - 1)).rejects.toMatchObject(fault);
    await expect(inflate(gzipSync(Buffer.alloc(50_000_000)), 'gzip', 1_000_000)).rejects.toMatchObject(fault);
  });

  it.each([
    ['plain bytes', text],
    ['half a stream', gzipSync(text).subarray(0, 40)],
    ['a damaged stream', Buffer.concat([gzipSync(text).subarray(0, 30), Buffer.alloc(60, 7)])],
    ['nothing', Buffer.alloc(0)],
  ])('refuses %s', async (_, payload) => {
    await expect(inflate(payload, 'gzip', 1_000_000)).rejects.toMatchObject({ kind: 'malformed', code: 'wire.gzip' });
  });
});
