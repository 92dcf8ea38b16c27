/**
 * Sorts strings in the order in which Clojure iterates over a hash set, because catalog hashes of PuppetDB depend on
 * this order. The order follows the Murmur3 hash of the Java string hash, five bits at a time from the low end.
 */
export function inSetOrder(strings: readonly string[]): readonly string[] {
  if (strings.length < 2) return strings;
  const ranked = strings.map((text) => ({ text, rank: rankOf(text) }));
  ranked.sort((a, b) => a.rank - b.rank);
  return ranked.map(({ text }) => text);
}

/** The seven digits of the rank in base 32 are the 32 bits of the hash, beginning with the lowest five bits. */
function rankOf(text: string): number {
  const hash = murmur3(javaHash(text));
  let rank = 0;
  for (let shift = 0; shift < 35; shift += 5) rank = rank * 32 + ((hash >>> shift) & 31);
  return rank;
}

function javaHash(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(31, hash) + text.charCodeAt(i)) | 0;
  return hash;
}

/** Murmur3 hash (x86, 32 bits, seed 0). As in Clojure, the hash of 0 is 0. */
function murmur3(key: number): number {
  if (key === 0) return 0;
  let k = Math.imul(key, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  let h = (Math.imul((k << 13) | (k >>> 19), 5) + 0xe6546b64) | 0;
  h ^= 4;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
