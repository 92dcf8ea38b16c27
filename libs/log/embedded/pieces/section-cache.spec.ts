import { hash } from 'node:crypto';
import { SectionCache } from './section-cache';

const section = (size: number, fill: number): { sha256: Buffer; bytes: Buffer } => {
  const bytes = Buffer.alloc(size, fill);
  return { sha256: hash('sha256', bytes, 'buffer'), bytes };
};

it('returns sections by their hash, and forgets the oldest when they take too much', () => {
  const cache = new SectionCache(2_500);
  const sections = [1, 2, 3].map((fill) => section(1_000, fill));
  for (const one of sections) cache.add(one, one.bytes);
  expect(sections.map((one) => cache.get(one))).toEqual([undefined, sections[1]!.bytes, sections[2]!.bytes]);
});

it('does not keep large sections', () => {
  const cache = new SectionCache();
  const large = section(200_000, 1);
  cache.add(large, large.bytes);
  expect(cache.get(large)).toBeUndefined();
});
