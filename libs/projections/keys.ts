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

// Keys are remembered, because the same names of facts, paths and packages occur in the documents of most nodes.
const remembered = new Map<string, Key>();
const mostRemembered = 50_000;
/** Longer texts are rare, and many of them would fill the memory. */
const longestRemembered = 400;

function keyOf(text: string): Key {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const key = computedKey(text);
  if (text.length > longestRemembered) return key;
  if (remembered.size >= mostRemembered) remembered.clear();
  // Copies the text, because a slice of a document would keep the whole document in memory.
  remembered.set(Buffer.from(text).toString(), key);
  return key;
}

/** Returns the first eight bytes of SHA-1(text) as a signed big-endian integer in decimal digits. */
export const key64 = (text: string): string => keyOf(text).decimal;

/** Returns the key of `key64` as eight bytes in latin1 text. */
export const key64Bytes = (text: string): string => keyOf(text).bytes;

export const key64OfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').readBigInt64BE(0).toString();

/**
 * The kinds of the elements are part of the key. So a path with the key "0" of a map and a path with the index 0 of an
 * array have different keys.
 */
export function pathKey(path: readonly PathElement[]): string {
  return key64(path.map((element) => (typeof element === 'number' ? `i${element}` : `k${element}`)).join('\0'));
}

/** Returns the first 16 bytes of the hexadecimal SHA-1, which PostgreSQL accepts as a UUID. */
export function reportKey(hash: string): string {
  return hash.slice(0, 32);
}
