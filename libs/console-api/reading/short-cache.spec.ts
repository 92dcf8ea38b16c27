import { ShortCache } from './short-cache';

it('makes an answer once for requests at the same time, and again when it is too old', async () => {
  let now = 0;
  let made = 0;
  const cache = new ShortCache({ mostCharacters: 100, now: () => now });
  const get = (): Promise<string> => cache.get('a', 1_000, async () => String(++made));
  expect(await Promise.all([get(), get()])).toEqual(['1', '1']);
  now = 999;
  expect(await get()).toBe('1');
  now = 1_000;
  expect(await get()).toBe('2');
});

it('keeps no failure', async () => {
  const cache = new ShortCache({ mostCharacters: 100 });
  await expect(cache.get('a', 1_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await cache.get('a', 1_000, async () => 'whole')).toBe('whole');
});

it('forgets the oldest answers when they take too much memory', async () => {
  let made = 0;
  const cache = new ShortCache({ mostCharacters: 100 });
  const get = (key: string): Promise<string> =>
    cache.get(key, 1_000_000, async () => {
      made++;
      return 'x'.repeat(40);
    });
  for (const key of ['a', 'b', 'c', 'b', 'c']) await get(key);
  expect(made).toBe(3);
  await get('a');
  expect(made).toBe(4);
});
