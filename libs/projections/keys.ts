import { hash } from 'node:crypto';
import type { PathElement } from '#wire';

interface Key {
  readonly decimal: string;
  readonly bytes: string;
}

function computedKey(text: string): Key {
  const bytes = hash('sha1', text, 'binary').slice(0, 8);
  return { decimal: key64OfBytes(bytes), bytes };
}

// Cache of keys, because names of facts, paths and packages occur in the documents of every node. Emptied when it is
// full.
const remembered = new Map<string, Key>();
const mostRemembered = 50_000;
/** Limit on the length of cached texts. Longer texts are rare, and many of them would fill the memory. */
const longestRemembered = 400;

function keyOf(text: string): Key {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const key = computedKey(text);
  if (text.length > longestRemembered) return key;
  if (remembered.size >= mostRemembered) remembered.clear();
  // Copies the text, because a slice would keep the whole document in memory.
  remembered.set(Buffer.from(text).toString(), key);
  return key;
}

/**
 * Returns the key of a node, fact, environment or producer: the first eight bytes of SHA-1(text) as a signed big-endian
 * integer in decimal digits.
 */
export const key64 = (text: string): string => keyOf(text).decimal;

/** Returns the key of `key64` as eight bytes in latin1 text. */
export const key64Bytes = (text: string): string => keyOf(text).bytes;

/** Returns the decimal text of a key of eight bytes in latin1 text. */
export const key64OfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').readBigInt64BE(0).toString();

/**
 * Returns the key of the path of a leaf. The key depends on the kinds of the path elements, so that the key "0" in a
 * map and the index 0 in an array differ.
 */
export function pathKey(path: readonly PathElement[]): string {
  return key64(path.map((element) => (typeof element === 'number' ? `i${element}` : `k${element}`)).join('\0'));
}

/** Returns the key of a report: the first 16 bytes of its hexadecimal SHA-1, which PostgreSQL accepts as a UUID. */
export function reportKey(hash: string): string {
  return hash.slice(0, 32);
}
